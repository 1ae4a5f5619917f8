// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Programming
import Scene
import Settings
import TestSupport
import Testing
import Time
import Venue

struct SettingsDocumentTests {
    func failure(_ text: String) -> String {
        do {
            _ = try Settings(parsing: Array(text.utf8))
            return "accepted"
        } catch {
            return error.description
        }
    }

    @Test func defaultsAreThoseOfTheDesign() {
        let settings = Settings.default
        #expect(
            settings.announcements.groups.map(\.description) == [
                "224.2.127.254:9875", "239.255.255.255:9875", "239.195.255.255:9875", "224.0.0.255:9875",
                "[ff02::2:7ffe]:9875", "[ff05::2:7ffe]:9875", "[ff08::2:7ffe]:9875", "[ff0e::2:7ffe]:9875",
            ])
        #expect(settings.announcements.groups.allSatisfy { $0.port == 9875 })
        #expect(settings.playback.playoutDelay == .milliseconds(200))
        #expect(settings.playback.history == .seconds(30))
        #expect(settings.playback.autoTune == nil)
        #expect(settings.network.interface == nil)
        #expect(settings.output.kind == .headless)
        #expect(settings.output.screen.width == 1280)
        #expect(settings.output.screen.height == 720)
        #expect(settings.sound.output == .null && settings.sound.volume == 100 && !settings.sound.isMuted)
        #expect(settings.playback.startPolicy == .hold && settings.playback.damage == .show)
        #expect(settings.playback.decoding == .automatic)
        #expect(settings.playback.fallback == .slate && settings.playlists.isEmpty)
        #expect(!settings.playback.autoAdvance && !settings.playback.autoPlay)
        #expect(settings.playback.audioLanguage == nil)
        #expect(settings.playback.sourcePolicy == .reference && settings.playback.bandwidthLimitKbps == nil)
        #expect(settings.playback.sourceOrder == Source.Delivery.allCases)
        #expect(settings.screenText.isEnabled && settings.screenText.strategy == .standard)
        #expect(settings.screenText.safeAreaPercent == 5 && settings.screenText.bannerSpan == .seconds(5))
        #expect(settings.screenText.direction == .auto && settings.screenText.timeZone == nil)
        #expect(settings.log.level == .info)
        #expect(settings.log.subsystems.isEmpty)
        #expect(settings.controlSocket == "/run/touchline/control.sock")
    }

    /// Field, value and expectation, each time.
    @Test(arguments: [
        ("[]", #"the document is an array; expected an object"#),
        (#"{"output":{"width":63}}"#, "/output/width is 63; expected an integer, 64...7680"),
        (#"{"output":{"width":"64"}}"#, #"/output/width is "64"; expected an integer, 64...7680"#),
        (#"{"output":{"width":64.5}}"#, "/output/width is 64.5; expected an integer, 64...7680"),
        (
            #"{"output":{"kind":"Headless"}}"#,
            #"/output/kind is "Headless"; expected one of headless, headlessGles, kms, null"#
        ),
        (
            #"{"output":{"depth":8}}"#,
            "/output/depth is no field; expected one of connector, drawing, height, kind, layout, mirror, mode, overscanPercent, planes, rotation, standby, strategies, transitionMs, width"
        ),
        (#"{"licence":{}}"#, "/licence is no field; expected one of announcements, box, channels, control, data, "),
        (#"{"box":7}"#, "/box is 7; expected an object"),
        (#"{"box":{"name":"a\u0007"}}"#, #"/box/name is "a\u0007"; expected a text of 0...64 characters"#),
        (#"{"channels":[{"name":"One","port":1}]}"#, "/channels/0/address: expected a numeric IPv4 or IPv6 address"),
        (#"{"screenText":{"timeZone":"../passwd"}}"#, "expected the name of a time zone like Europe/Berlin"),
        (#"{"screenText":{"timeZone":"Europe/"}}"#, "expected the name of a time zone like Europe/Berlin"),
        (#"{"screenText":{"safeAreaPercent":11}}"#, "expected an integer, 0...10"),
        (#"{"channels":{}}"#, "/channels is an object; expected an array of 0...1000 elements"),
        (#"{"channels":[null]}"#, "/channels/0 is null; expected an object"),
        (
            #"{"announcements":{"allow":["tv.example"]}}"#,
            #"/announcements/allow/0 is "tv.example"; expected a numeric"#
        ),
        (#"{"announcements":{"groups":[{"address":"10.0.0.1"}]}}"#, "expected a multicast group"),
        (#"{"log":{"subsystems":{"Line/Up":"info"}}}"#, "/log/subsystems/Line~1Up: expected a name of 1 to 64 letters"),
        (#"{"log":{"level":"trace"}}"#, #"expected one of debug, info, notice, warning, error"#),
        (#"{"network":{"interface":"../../x"}}"#, "expected the name of a network interface"),
        (#"{"network":{"wifiApInfo":[{"name":"a","bssid":"00:11:22:33:44"}]}}"#, "/network/wifiApInfo/0/bssid is"),
        (#"{"playback":{"autoPlay":1}}"#, "/playback/autoPlay is 1; expected true or false"),
        (
            #"{"playback":{"decoding":"gpu"}}"#,
            #"/playback/decoding is "gpu"; expected one of auto, hardware, software"#
        ),
        (#"{"playback":{"damage":"mend"}}"#, #"/playback/damage is "mend"; expected one of show, hold"#),
        (
            #"{"playback":{"fallback":"defaultChannel"}}"#,
            #"/playback/defaultChannel is ""; expected a channel, because playback.fallback is defaultChannel"#
        ),
        (
            #"{"playback":{"fallback":"playlist","fallbackPlaylist":"B"},"playlists":[{"name":"A","items":[{"file":"/a"}]}]}"#,
            #"/playback/fallbackPlaylist is "B"; expected the name of one of playlists (A)"#
        ),
        (#"{"playlists":[{"name":"A","items":[]}]}"#, "/playlists/0/items is an array; expected an array of 1...1000"),
        (
            #"{"playlists":[{"name":"A","items":[{}]}]}"#,
            "/playlists/0/items/0: expected either a channel, a file or sources"
        ),
        (
            #"{"playlists":[{"name":"A","items":[{"file":"a.mp4"}]}]}"#,
            #"/playlists/0/items/0/file is "a.mp4"; expected an absolute path"#
        ),
        (
            #"{"playlists":[{"name":"A","items":[{"file":"/a","sources":[{"delivery":"RTP","location":"r"}]}]}]}"#,
            "/playlists/0/items/0: expected either a channel, a file or sources"
        ),
        (
            #"{"playlists":[{"name":"A","items":[{"sources":[{"delivery":"FILE","location":"x"}]}]}]}"#,
            "/playlists/0/items/0/sources/0: expected a file and no location, because delivery is FILE"
        ),
        (
            #"{"playlists":[{"name":"A","items":[{"sources":[{"delivery":"MULTICAST","file":"/a"}]}]}]}"#,
            "/playlists/0/items/0/sources/0: expected a location and no file, because delivery is MULTICAST"
        ),
        (
            #"{"playlists":[{"name":"A","items":[{"sources":[{"delivery":"MP4","location":"/etc/passwd"}]}]}]}"#,
            #"/playlists/0/items/0/sources/0/location is "/etc/passwd"; expected a URL, or a file instead"#
        ),
        (#"{"playback":{"sourceOrder":[]}}"#, "/playback/sourceOrder is an array; expected an array of 1...5 elements"),
        (
            #"{"playback":{"sourcePolicy":"last"}}"#,
            #"/playback/sourcePolicy is "last"; expected one of reference, first, ordered"#
        ),
        (#"{"sound":{"volume":101}}"#, "/sound/volume is 101; expected an integer, 0...100"),
        (#"{"sound":{"wavPath":"/etc/passwd"}}"#, "expected an absolute path that ends with .wav"),
        (#"{"sound":{"wavPath":"/tmp/../etc/a.wav"}}"#, "and has no '..'"),
        (#"{"sound":{"kind":"wav"}}"#, #"/sound/wavPath is ""; expected a path, because sound.kind is wav"#),
        (#"{"control":{"socket":"run/x"}}"#, "expected an absolute path"),
        (#"{"box":{"tags":[""]}}"#, #"/box/tags/0 is ""; expected a text of 1...64 characters"#),
        (#"{"lineUp":{"channels":[{"number":5}]}}"#, "/lineUp/channels/0/channel: expected a text of 1...256"),
        (
            #"{"lineUp":{"channels":[{"channel":"A","number":0}]}}"#,
            "/lineUp/channels/0/number is 0; expected an integer, 1...9999"
        ),
        (
            #"{"lineUp":{"channels":[{"channel":"A"},{"channel":"A"}]}}"#,
            #"/lineUp/channels/1/channel is "A"; expected a channel that no other element is about"#
        ),
        (
            #"{"lineUp":{"channels":[{"channel":"A","number":7},{"channel":"B","number":7}]}}"#,
            "/lineUp/channels/1/number is 7; expected a number that no other element gives"
        ),
        (
            #"{"lineUp":{"order":"size"}}"#,
            #"/lineUp/order is "size"; expected one of number, name, or an array of 0...2000 elements"#
        ),
        (#"{"lineUp":{"order":7}}"#, #"/lineUp/order is 7; expected one of number, name, or an array"#),
        (#"{"lineUp":{"order":["A",7]}}"#, "/lineUp/order/1 is 7; expected a text of 1...256 characters"),
        (#"{"lineUp":{"order":["A","A"]}}"#, #"/lineUp/order/1 is "A"; expected a channel that is not there already"#),
        (#"{"lineUp":{"views":[{"tag":"bar"}]}}"#, "/lineUp/views/0: expected channels or groups"),
        (
            #"{"lineUp":{"views":[{"tag":"bar","groups":["G"]},{"tag":"bar","groups":["H"]}]}}"#,
            #"/lineUp/views/1/tag is "bar"; expected a tag that no other view has"#
        ),
        (#"{"playback":{"historyMs":1000,"playoutDelayMs":2000}}"#, "/playback/historyMs is 1000; expected at least"),
        (#"{"version":2}"#, "/version is 2; expected an integer, 1...1"),
        (#"{"box":{"name":"a","name":"b"}}"#, "line 1, column 20, at /box/name: the key 'name' is there twice"),
        (#"{"output":{"width":1,"height":1}}"#, "; /output/height is 1"),
        (
            #"{"output":{"mode":"1080p"}}"#,
            #"/output/mode is "1080p"; expected a mode like 1920x1080@50, 1920x1080 or @59.94, or preferred, or """#
        ),
        (#"{"output":{"mode":50}}"#, "/output/mode is 50; expected a mode like"),
        (
            #"{"output":{"connector":"HDMI"}}"#,
            #"/output/connector is "HDMI"; expected the name of a connector like HDMI-A-1 or """#
        ),
    ])
    func names(document: String, expected: String) {
        #expect(failure(document).contains(expected), "\(failure(document))")
    }

    static let two = #"{"name":"A","address":"239.1.1.1","port":5004"#

    /// Not in the macro itself: interpolation there crashes the compiler of 6.0.3.
    static let disagreements: [(String, String)] = [
        ("[\(two)},\(two)}]", "/channels/1/name is \"A\"; expected a name that no other channel has"),
        (
            #"[\#(two),"number":1},{"name":"B","address":"239.1.1.1","port":1,"number":1}]"#,
            "/channels/1/number is 1; expected a number that no other channel has"
        ),
        (#"[\#(two),"source":"::1"}]"#, "expected a unicast address of the same IP version"),
        (#"[\#(two),"source":"239.1.1.1"}]"#, "expected a unicast address"),
    ]

    @Test(arguments: disagreements)
    func namesWhatChannelsDisagreeAbout(channels: String, expected: String) {
        let text = #"{"channels":\#(channels)}"#
        #expect(failure(text).contains(expected), "\(failure(text))")
    }

    static let main = #"{"name":"main"}"#

    static let layouts: [(String, String)] = [
        (#"[{"name":"full","regions":[\#(main)]}]"#, #"/layouts/0/name is "full"; expected a name that no built-in"#),
        (
            #"[{"name":"A","regions":[\#(main)]},{"name":"A","regions":[\#(main)]}]"#,
            #"/layouts/1/name is "A"; expected a name that no other layout has"#
        ),
        (#"[{"name":"A","regions":[]}]"#, "/layouts/0/regions is an array; expected an array of 1...16 elements"),
        (#"[{"name":"A","regions":[{"name":"B"}]}]"#, "/layouts/0/regions: expected a region named main"),
        (
            #"[{"name":"A","regions":[\#(main),\#(main)]}]"#,
            #"/layouts/0/regions/1/name is "main"; expected a name that no other region has"#
        ),
        (
            #"[{"name":"A","regions":[{"name":"main","x":6000,"width":4001}]}]"#,
            "/layouts/0/regions/0/width is 4001; expected at most 4000, because x is 6000"
        ),
        (
            #"[{"name":"A","regions":[{"name":"main","crop":{"y":1}}]}]"#,
            "/layouts/0/regions/0/crop/height is 10000; expected at most 9999, because y is 1"
        ),
        (
            #"[{"name":"A","regions":[{"name":"main","rotation":45}]}]"#,
            "/layouts/0/regions/0/rotation is 45; expected 0, 90, 180 or 270"
        ),
        (
            #"[{"name":"A","regions":[{"name":"main","opacity":101}]}]"#,
            "/layouts/0/regions/0/opacity is 101; expected an integer, 0...100"
        ),
    ]

    @Test(arguments: layouts)
    func namesWhatIsWrongWithLayouts(layouts: String, expected: String) {
        let text = #"{"layouts":\#(layouts)}"#
        #expect(failure(text).contains(expected), "\(failure(text))")
    }

    @Test func namesWhatIsWrongAboutLayouts() {
        #expect(
            failure(#"{"output":{"layout":"A"}}"#)
                == #"/output/layout is "A"; expected one of full, pip, quad"#)
        let regions = #"[{"name":"main","channel":"One"},{"name":"B","channel":"Two"}]"#
        #expect(
            failure(#"{"playback":{"sessionLimit":1},"layouts":[{"name":"A","regions":\#(regions)}]}"#)
                == "/layouts/0/regions: expected at most 1 with a channel, because of playback.sessionLimit")
    }

    @Test func readsLayouts() throws {
        let file = ConfigFiles.folder.appendingPathComponent("examples/layouts.json")
        let settings = try Settings(parsing: ConfigFiles.octets(file))
        #expect(settings.output.layout == "wall" && settings.output.transition == .milliseconds(400))
        #expect(settings.playback.sessionLimit == 5)
        #expect(settings.layouts.map(\.stage.name) == ["wall", "corner", "portrait"])
        let corner = settings.layouts[1]
        #expect(corner.stage.problem == nil && corner.channels == ["inset": "Tunnel"])
        let inset = try #require(corner.stage.regions.last)
        #expect(inset.area == SceneArea(x: 7_000, y: 500, width: 2_500, height: 2_500))
        #expect(inset.fit == .fill && inset.order == 1 && inset.opacity == 90)
        #expect(inset.crop == SceneArea(x: 1_250, y: 0, width: 7_500, height: 10_000))
        #expect(settings.layouts[2].stage.regions.first?.rotation == .threeQuarters)
        // What is shown of a layout can be written back.
        let written: JSONValue = ["layouts": .array(settings.layouts.map(\.json)), "playback": ["sessionLimit": 4]]
        #expect(try Settings(document: written).layouts == settings.layouts)
        #expect(Settings.default.layouts.isEmpty && Settings.default.output.layout == "full")
        #expect(Settings.Layout.builtIn.allSatisfy { $0.stage.problem == nil && $0.stage.regions[0].name == "main" })
    }

    @Test func partialDocumentsMerge() throws {
        let before = try JSONValue.parse(#"{"license":{"venueName":"V"},"output":{"width":640},"channels":[]}"#)
        let patch = try JSONValue.parse(#"{"output":{"width":null,"height":480},"playback":{"autoTune":"One"}}"#)
        let merged = before.merging(patch: patch)
        let settings = try Settings(document: merged)
        #expect(settings.license.venueName == "V")
        #expect(settings.output.screen.width == 1280)
        #expect(settings.output.screen.height == 480)
        #expect(settings.playback.autoTune == "One")
        #expect(try Settings(document: patch).output.screen.width == 1280)
    }

    @Test func effectiveIsCompleteAndStable() throws {
        let effective = try Settings.effective([:])
        #expect(effective.at("/announcements/groups/0/port") == 9875)
        #expect(effective.at("/license/venueName") == "")
        #expect(try Settings.effective(effective) == effective)
        #expect(try Settings(document: effective) == Settings.default)
        let listed = try Settings.effective(["announcements": ["groups": [["address": "ff05::1"]]]])
        #expect(listed.at("/announcements/groups") == [["address": "ff05::1", "port": 9875]])
    }

    @Test func readsChannelsAsTheLineUpWantsThem() throws {
        let file = ConfigFiles.folder.appendingPathComponent("examples/channels.json")
        let channels = try Settings(parsing: ConfigFiles.octets(file)).channels
        #expect(channels.map(\.number) == [1, 2, nil])
        #expect(channels[0].channel.id == Channel.ID("settings:One"))
        #expect(channels[0].channel.transport.encapsulation == .automatic)
        #expect(channels[1].channel.transport.encapsulation == .raw)
        #expect(channels[2].channel.transport.source == "192.0.2.10")
        #expect(channels[2].channel.playoutDelay == .milliseconds(500))
        #expect(channels[0].channel.playoutDelay == nil)
    }

    @Test func readsTheLineUp() throws {
        let file = ConfigFiles.folder.appendingPathComponent("examples/line-up.json")
        let settings = try Settings(parsing: ConfigFiles.octets(file))
        #expect(settings.boxTags == ["bar"])
        let overrides = settings.lineUp.channels
        #expect(overrides.map(\.channel) == ["One", "northfield-1/7", "Two", "playlist:Waiting"])
        #expect(overrides.map(\.number) == [10, nil, nil, 99])
        #expect(overrides.map(\.name) == ["Pitch", "Tunnel", nil, nil])
        #expect(overrides.map(\.isHidden) == [false, false, true, false])
        #expect(overrides.map(\.isFavourite) == [true, false, false, false])
        #expect(overrides[0].groups == ["sport", "kids"])
        #expect(settings.lineUp.order == .list(["Pitch", "playlist:Waiting"]))
        let bar = try #require(settings.lineUp.views.first)
        #expect(bar.tag == "bar" && bar.channels == ["Pitch"] && bar.groups == ["sport"] && bar.firstNumber == 1)
        let standard = Settings.default.lineUp
        #expect(standard.channels.isEmpty && standard.order == .number && standard.views.isEmpty)
    }

    /// A channel may be announced later: what is not known is no error.
    @Test func unknownChannelsAreTaken() throws {
        let text =
            #"{"lineUp":{"channels":[{"channel":"Nowhere"}],"order":["x/1"],"views":[{"tag":"t","channels":["y"]}]}}"#
        #expect(try Settings(parsing: Array(text.utf8)).lineUp.order == .list(["x/1"]))
    }

    @Test func programsHaveNumbersOrNames() throws {
        func program(_ json: String) throws -> ProgramChoice? {
            let channel = #"{ "name": "A", "address": "239.1.1.1", "port": 5004, "program": \#(json) }"#
            let text = #"{ "channels": [ \#(channel) ] }"#
            return try Settings(parsing: Array(text.utf8)).channels.first?.channel.program
        }
        #expect(try program("101") == .number(101))
        #expect(try program("\"BBC TWO\"") == .name("BBC TWO") && program("null") == nil)
        #expect(throws: SettingsError.self) { try program("0") }
        #expect(throws: SettingsError.self) { try program("\"\"") }
    }

    @Test func readsPlaylists() throws {
        let file = ConfigFiles.folder.appendingPathComponent("examples/kiosk.json")
        let settings = try Settings(parsing: ConfigFiles.octets(file))
        #expect(settings.playback.autoAdvance && settings.playback.autoPlay)
        #expect(settings.playback.fallback == .playlist && settings.playback.fallbackPlaylist == "Waiting")
        #expect(settings.sound.output == .alsa(device: "hdmi:CARD=vc4hdmi,DEV=0"))
        #expect(settings.sound.volume == 60)
        let match = try #require(settings.playlists.first)
        #expect(match.videos.map(\.name) == ["Welcome", "One"])
        #expect(match.videos[0].sources == [Source(.file, "/var/lib/touchline/files/welcome.mp4")])
        #expect(match.videos[0].cuePoints.points == [CuePoint(at: .seconds(5), kind: "overlay")])
        #expect(match.videos[1].sources == [Source(.multicast, "One")])
        #expect(settings.channels.first?.channel.program == 101)
    }

    @Test func mutationNeverTraps() throws {
        let text = try ConfigFiles.octets(ConfigFiles.folder.appendingPathComponent("examples/complete.json"))
        var mutation = Mutation(seed: 22)
        for _ in 0..<Mutation.count(usual: 1_000) {
            guard let document = try? Settings.document(parsing: mutation.damage(text)),  // refused is an answer
                let effective = try? Settings.effective(document)
            else { continue }
            #expect(try Settings.effective(effective) == effective)
            _ = try Settings(document: document)
        }
    }
}
