// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Shapes
import Testing
import Time
import Venue

@testable import Channels

@Suite struct ChannelsTests {
    private final class Heard {
        var events: [(type: String, payload: JSONValue)] = []
    }

    private let heard = Heard()
    private let nowNext = NowNextView()

    private func makeHost() throws -> (FeatureHost, LineUpView, FeatureContext) {
        var context = try FeatureContext.testing(
            settings: [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    ["name": "Pitch", "address": "239.1.2.3", "port": 5_000, "encapsulation": "rtp"],
                    ["name": "Scores", "kind": "data", "address": "239.1.2.4", "port": 5_000],
                ],
                "playlists": [["name": "Evening", "items": [["file": "/nowhere.mp4"]]]],
                "lineUp": ["channels": [["channel": "Pitch", "groups": ["Sport"], "favourite": true]]],
            ]
        ) { [heard] name, payload in heard.events.append((name, payload)) }
        let lineUp = LineUpView(LineUp(settings: LineUpSettings(context.settings.running.settings)))
        context.provide(lineUp)
        context.provide(Channels.Media(received: { [:] }))
        context.provide(nowNext)
        context.provide(LocalZone(nil))
        return (try FeatureHost([Channels.self], context), lineUp, context)
    }

    private func list(_ host: FeatureHost, _ arguments: JSONValue = [:]) throws -> [JSONValue] {
        var answered = JSONValue.null
        let request = try CommandRequest(CommandDescription(ListChannels.self), arguments: arguments)
        #expect(host.handle(request) { if case .success(let answer) = $0 { answered = answer } })
        #expect(ChannelAnswer.kind.problems(of: answered).isEmpty)
        return answered["channels"]?.array ?? []
    }

    private func names(_ host: FeatureHost, _ arguments: JSONValue) throws -> [String] {
        try list(host, arguments).compactMap { $0["name"]?.string }
    }

    @Test func listsChannelsAndPlaylists() throws {
        let (host, lineUp, _) = try makeHost()
        #expect(try names(host, [:]).sorted() == ["Evening", "Pitch", "Scores"])
        #expect(try names(host, ["kind": "data"]) == ["Scores"])
        #expect(try names(host, ["favourites": true]) == ["Pitch"])
        #expect(try names(host, ["group": "Sport"]) == ["Pitch"])
        let id = try #require(lineUp.current.entry(matching: "Pitch")?.id)
        _ = nowNext.current.heard(NowNext(now: Broadcast(title: "Match")), on: id)
        let rows = try list(host)
        let pitch = try #require(rows.first { $0["name"] == "Pitch" })
        #expect(pitch["encapsulation"] == "rtp" && pitch["address"] == "239.1.2.3" && pitch["port"] == 5_000)
        #expect(pitch["groups"] == ["Sport"] && pitch["origin"] == "settings" && pitch["source"] == .null)
        #expect(pitch.at("/now/title") == "Match" && pitch["venueName"] == .null && pitch["furtherSources"] == [])
        let playlist = try #require(rows.first { $0["name"] == "Evening" })
        #expect(playlist["address"] == .null && playlist["encapsulation"] == nil && playlist["now"] == .null)
        #expect(playlist["origin"] == "playlist" && playlist["bandwidthKbps"] == 0 && playlist["source"] == nil)
    }

    /// SVM-31: each channel at once, and the whole list of each kind a moment later.
    @Test func whatIsThereFromTheStartIsReported() throws {
        let (host, _, context) = try makeHost()
        host.start()
        #expect(heard.events.map(\.type) == ["channels.added", "channels.added", "channels.added"])
        let loop = context.loop
        _ = loop.after(.milliseconds(200)) { loop.stop() }
        try loop.run()
        #expect(heard.events.dropFirst(3).map(\.type) == ["channels.video", "channels.data"])
        let video = try #require(heard.events.first { $0.type == "channels.video" }).payload
        #expect(video["added"]?.array?.count == 2 && video["removed"] == [] && video["channels"]?.array?.count == 2)
        #expect(video.at("/channels/0/now") == nil)
        for (type, payload) in heard.events {
            let about = try #require(Channels.events.first { $0.type == type })
            #expect(ValueKind.record(about.payload).problems(of: payload).isEmpty, "\(type)")
        }
        host.stop()
    }

    /// Why a channel is not there: the sender whose announcement was not taken is listed with the reason.
    @Test func aSenderOfNothingIsListedForItsFault() throws {
        let (host, lineUp, _) = try makeHost()
        let now = Monotonic(nanoseconds: 5)
        let sender = NumericAddress(v4: 0x0a00_0009)
        for octets in [[0x20, 0, 0], [0x22, 0, 0, 1, 10, 0, 0, 9]] as [[UInt8]] {
            octets.withUnsafeBytes { _ = lineUp.current.handle(datagram: $0, from: sender, at: now) }
        }
        func streamers(_ arguments: JSONValue) throws -> [JSONValue] {
            var answered = JSONValue.null
            let request = try CommandRequest(CommandDescription(ListStreamers.self), arguments: arguments)
            #expect(host.handle(request) { if case .success(let answer) = $0 { answered = answer } })
            return answered["streamers"]?.array ?? []
        }
        #expect(try streamers([:]).isEmpty, "it is no head-end")
        let rows = try streamers(["refused": true])
        #expect(rows.count == 1 && rows.first?["address"] == "10.0.0.9" && rows.first?["channelCount"] == 0)
        #expect(rows.first?["lastFault"] == "encrypted")
    }

    /// However many changes come, work on the whole list is done once in a pause.
    @Test func changesAreGathered() throws {
        let (host, lineUp, context) = try makeHost()
        host.start()
        let (report, loop) = (ChannelListReport(context, lineUp), context.loop)
        func run() throws {
            _ = loop.after(.milliseconds(500)) { loop.stop() }
            try loop.run()
        }
        try run()  // what the feature tells when it starts
        var told: [Int] = []
        lineUp.subscribe { told.append($0.count) }
        var channel = try #require(lineUp.current.entry(of: "Pitch").channel)
        func change(port: UInt16) {
            channel.transport.port = port
            report.gather(lineUp.current.apply(LineUpSettings(channels: [channel])))
            report.flushIfDue()
        }
        change(port: 1)
        #expect(told == [3], "the first at once: this channel changed, the others are gone")
        for port in 2...50 as ClosedRange<UInt16> { change(port: port) }
        let entry = try lineUp.current.entry(of: "Pitch")
        #expect(told.count == 1 && report.document(of: entry).json["port"] == 50)
        heard.events = []
        try run()
        #expect(told == [3, 49])
        let types = heard.events.map(\.type)
        #expect(types.count { $0 == "channels.changed" } == 49 && types.count { $0 == "channels.video" } == 1)
        #expect(heard.events.last { $0.type == "channels.video" }?.payload.at("/channels/0/port") == 50)
        // No turn of the loop tells more than some.
        for port in 51...300 as ClosedRange<UInt16> { change(port: port) }
        let most = ChannelListReport.mostUntold
        #expect(told.dropFirst(2) == [1, most, most, most])
        host.stop()
    }

    /// As much as a venue's head-ends send at once is read without a rest, and a flood is not.
    @Test func theListenerRestsInAFlood() {
        var rhythm = ListeningRhythm()
        for _ in 0..<ListeningRhythm.fullReads { #expect(rhythm.read(32, of: 32) == .zero) }
        #expect(rhythm.read(32, of: 32) == ListeningRhythm.rest && rhythm.read(32, of: 32) == ListeningRhythm.rest)
        #expect(rhythm.read(31, of: 32) == .zero && rhythm.read(32, of: 32) == .zero)
    }

    /// What changed in a channel is named.
    @Test func changesNameTheirMembers() throws {
        let (host, lineUp, context) = try makeHost()
        host.start()
        let report = ChannelListReport(context, lineUp)
        let was = try #require(lineUp.current.entry(matching: "Pitch"))
        var entry = was
        entry.number = 77
        entry.isHidden = true
        report.tell(.channelChanged(entry, was: was))
        #expect(heard.events.last?.payload["changed"] == ["isHidden", "number"])
        report.tell(.channelRemoved(entry, .pruned))
        #expect(heard.events.last?.type == "channels.removed" && heard.events.last?.payload["why"] == "pruned")
        host.stop()
    }

    /// SVM-12: channels and their arrangement change while the box runs.
    @Test func settingsChange() throws {
        let (host, lineUp, context) = try makeHost()
        host.start()
        var told: [LineUpChange] = []
        lineUp.subscribe { told += $0 }
        func change(_ patch: JSONValue) throws {
            var outcome: Result<SettingsOutcome, SettingsFailure>?
            context.settings.change(.merge(patch), from: .localSocket) { outcome = $0 }
            _ = try #require(outcome).get()
        }
        try change(["channels": [["name": "Pitch", "address": "239.1.2.9", "port": 5_000]]])
        #expect(told.count == 2 && lineUp.current.channels.map(\.transport.address) == ["239.1.2.9"])
        #expect(heard.events.contains { $0.type == "channels.removed" && $0.payload["why"] == "revoked" })
        try change(["lineUp": ["channels": [["channel": "Pitch", "number": 12]]]])
        #expect(try list(host).first { $0["name"] == "Pitch" }?["number"] == 12)
        #expect(heard.events.last?.type == "channels.changed")
        host.stop()
    }
}
