// SPDX-License-Identifier: Apache-2.0
import LineUp
import Settings
import Testing
import Time
import Venue

/// What settings make of the list (`lineUp` and `box.tags`).
struct ChannelArrangementTests {
    private static let five = ["A", "B", "C", "D", "E"]

    private static func shown(_ script: Script) -> [String] {
        script.lineUp.listed.filter { !$0.isHidden }.map { "\($0.number) \($0.name)" }
    }

    @Test func settingsAnnouncementsAndPlaylistsAreOneList() throws {
        var script = Script(settings: Script.settings("{}", channels: ["Written"], playlists: ["Evening"]))
        script.hear(Script.announcement(3, name: "Heard"))
        let listed = script.lineUp.listed
        #expect(listed.map(\.name) == ["Heard", "Written", "Evening"])
        #expect(listed.map(\.origin) == [.announcement, .settings, .playlist])
        #expect(listed.map(\.number) == [3, 900, 901])
        #expect(listed[2].content == .playlist("Evening") && listed[2].kind == .video)
        #expect(script.names == ["Written", "Heard"])
        #expect(script.lineUp.apply(Script.settings("{}", channels: ["Written"])).told == [.removed(nil, .revoked)])
    }

    @Test func overridesByNameAndById() throws {
        let settings = """
            {"channels":[{"channel":"A","number":10,"name":"Pitch","favourite":true,"groups":["sport"]},
            {"channel":"head-end/4","hidden":true},{"channel":"playlist:Evening","number":50}]}
            """
        var script = Script(settings: Script.settings(settings, channels: ["A"], playlists: ["Evening"]))
        script.hear(Script.announcement(4, name: "Hidden"))
        let listed = script.lineUp.listed
        #expect(listed.map(\.name) == ["Hidden", "Pitch", "Evening"])
        #expect(listed.map(\.number) == [4, 10, 50])
        #expect(listed.map(\.isHidden) == [true, false, false])
        #expect(listed.map(\.isFavourite) == [false, true, false])
        #expect(listed[1].groups == ["sport"] && listed[1].ownName == "A")
        // The name of the list is the channel's everywhere; its own finds it too.
        #expect(script.names == ["Pitch", "Hidden"])
        #expect(script.lineUp.entry(matching: "A") == listed[1] && script.lineUp.entry(matching: "Pitch") == listed[1])
    }

    @Test func anIdSaysMoreThanAName() {
        let settings = #"{"channels":[{"channel":"Main","number":3},{"channel":"b/1","number":4}]}"#
        var script = Script(settings: Script.settings(settings))
        script.hear(Script.announcement(1, streamer: "b"))
        script.hear(Script.announcement(1, streamer: "a"))
        #expect(script.lineUp.listed.map(\.id.text) == ["a/1", "b/1"])
        #expect(script.lineUp.listed.map(\.number) == [3, 4])
    }

    @Test(arguments: [
        ("\"number\"", ["1 C", "2 B", "3 A"]), ("\"name\"", ["3 A", "2 B", "1 C"]),
        ("[\"B\",\"Nowhere\"]", ["2 B", "1 C", "3 A"]), ("[\"settings:A\",\"C\"]", ["3 A", "1 C", "2 B"]),
    ])
    func orders(order: String, expected: [String]) {
        let numbers = #""channels":[{"channel":"A","number":3},{"channel":"B","number":2},{"channel":"C","number":1}]"#
        let script = Script(
            settings: Script.settings("{\(numbers),\"order\":\(order)}", channels: ["A", "B", "C"]))
        #expect(Self.shown(script) == expected)
    }

    @Test func aViewShowsChannelsAndGroupsFromANumberOn() {
        let lineUp = """
            {"channels":[{"channel":"A","number":10,"groups":["sport"]},{"channel":"D","number":7,"groups":["sport"]},
            {"channel":"B","number":20,"groups":["news"]},{"channel":"E","name":"Echo"}],
            "views":[{"tag":"bar","channels":["C","Absent","A"],"groups":["sport"],"firstNumber":100},
            {"tag":"suite","channels":["Echo"]}]}
            """
        func script(_ tags: [String]) -> Script {
            Script(settings: Script.settings(lineUp, channels: Self.five, tags: tags))
        }
        // No view: all, by their own numbers.
        #expect(Self.shown(script(["hall"])) == ["7 D", "10 A", "20 B", "900 C", "901 Echo"])
        // Absent keeps its place.
        #expect(Self.shown(script(["bar"])) == ["100 C", "102 A", "103 D"])
        #expect(Self.shown(script(["suite"])) == ["901 Echo"])
        #expect(Self.shown(script(["suite", "bar"])) == ["100 C", "102 A", "103 D", "900 Echo"])
        // What no view shows is there all the same.
        #expect(script(["suite"]).lineUp.listed.count == 5)
        #expect(script(["suite"]).lineUp.entry(matching: "B")?.number == 20)
    }

    /// Whose id has an element of its own is in that one's groups, not in those of its name.
    @Test func groupsAreThoseOfTheElementThatApplies() {
        let lineUp = """
            {"channels":[{"channel":"Main","groups":["sport"]},{"channel":"b/1","number":9}],
            "views":[{"tag":"bar","groups":["sport"]},{"tag":"hall","channels":["b/1"],"firstNumber":40}]}
            """
        func shown(_ tags: [String]) -> [String] {
            var script = Script(settings: Script.settings(lineUp, tags: tags))
            for streamer in ["b", "a"] { script.hear(Script.announcement(1, streamer: streamer)) }
            return script.lineUp.listed.filter { !$0.isHidden }.map { "\($0.number) \($0.id)" }
        }
        #expect(shown(["bar"]) == ["1 a/1"])
        #expect(shown(["hall"]) == ["40 b/1"])
        #expect(shown(["hall", "bar"]) == ["1 a/1", "40 b/1"])
    }

    @Test func oneBatchOfChanges() {
        var script = Script(settings: Script.settings("{}", channels: ["A", "B"]))
        script.hear(Script.announcement(1))
        let changes = script.lineUp.apply(
            Script.settings(#"{"channels":[{"channel":"Main","favourite":true}]}"#, channels: ["B", "C"]))
        let said = changes.map { change -> String in
            switch change {
            case .channelAdded(let entry): "+\(entry.name)"
            case .channelRemoved(let entry, let why): "-\(entry.name) \(why)"
            case .channelChanged(let entry, let was): "\(entry.name) \(was.isFavourite)>\(entry.isFavourite)"
            default: "?"
            }
        }
        #expect(said == ["-A revoked", "+C", "Main false>true"])
        #expect(script.lineUp.counters.channelsAdded == 1 && script.lineUp.counters.channelsRevoked == 0)
    }

    @Test func findsByNameIdAndNumber() {
        let lineUp = #"{"channels":[{"channel":"A","number":5},{"channel":"playlist:Evening","name":"Tonight"}]}"#
        var script = Script(settings: Script.settings(lineUp, channels: ["A", "7"], playlists: ["Evening"]))
        script.hear(Script.announcement(7))
        func found(_ text: String) -> String? { script.lineUp.entry(matching: text)?.id.text }
        #expect(found("A") == "settings:A" && found("5") == "settings:A")
        #expect(found("head-end/7") == "head-end/7")
        // A name before a number.
        #expect(found("7") == "settings:7")
        #expect(
            ["Evening", "Tonight", "playlist:Evening", "901"].map(found)
                == Array(repeating: "playlist:Evening", count: 4))
        #expect(found("a") == nil && found("6") == nil && found("") == nil && found("-5") == nil)
    }

    @Test func zapsInTheOrderShown() {
        let lineUp = #"{"channels":[{"channel":"B","hidden":true},{"channel":"C","number":1}]}"#
        let script = Script(settings: Script.settings(lineUp, channels: ["A", "B", "C"], playlists: ["P"]))
        func next(_ id: String?, _ direction: LineUp.Direction) -> String? {
            script.lineUp.neighbour(of: id.map { Channel.ID($0) }, direction)?.name
        }
        #expect(["settings:C", "settings:A", "playlist:P"].map { next($0, .up) } == ["A", "P", "C"])
        #expect(["settings:C", "settings:A", "playlist:P"].map { next($0, .down) } == ["P", "C", "A"])
        #expect(next("settings:B", .up) == "P" && next("settings:B", .down) == "A")
        #expect(next(nil, .up) == "C" && next(nil, .down) == "P" && next("gone", .up) == "C")
        #expect(Script().lineUp.neighbour(of: nil, .up) == nil)
    }

    @Test func namesWhatIsNotThere() {
        let lineUp = """
            {"channels":[{"channel":"A","groups":["g"]},{"channel":"head-end/1"},{"channel":"Ghost"}],
            "order":["Main","Spook"],"views":[{"tag":"bar","channels":["Wraith"]},{"tag":"x","channels":["Other"]}]}
            """
        var script = Script(settings: Script.settings(lineUp, channels: ["A"], tags: ["bar"]))
        #expect(script.lineUp.unknownNames == ["Ghost", "Main", "Spook", "Wraith", "head-end/1"])
        script.hear(Script.announcement(1))
        #expect(script.lineUp.unknownNames == ["Ghost", "Spook", "Wraith"])
    }
}
