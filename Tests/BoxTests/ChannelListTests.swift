// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// What a whole box tells of its lists of channels while the line-up changes.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ChannelListTests {
        private func channel(_ name: String, kind: String, port: Int64) -> JSONValue {
            ["name": .string(name), "kind": .string(kind), "address": "239.255.77.38", "port": .integer(port)]
        }

        private func lists(_ kind: String, _ events: JSONValue) -> [JSONValue] {
            (events["events"]?.array ?? []).filter { $0["type"]?.string == "channels." + kind }
                .compactMap { $0["payload"] }
        }

        private func names(_ list: JSONValue) -> [String] {
            (list["channels"]?.array ?? []).compactMap { $0["name"]?.string }
        }

        /// SVM-32: data channels as video channels: the whole list, and what was added, changed and removed; each kind has
        /// a list and an event of its own.
        @Test func eachKindHasItsList() throws {
            let scores = channel("Scores", kind: "data", port: 21_357)
            let cues = channel("Cues", kind: "data", port: 21_359)
            let one = channel("One", kind: "video", port: 21_361)
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": [scores],
                "output": ["width": 320, "height": 180], "log": ["level": "error"],
            ])
            var events = try box.await("events") { lists("data", $0).count == 1 }
            let first = try #require(lists("data", events).first)
            #expect(first["added"] == ["settings:Scores"] && first["changed"] == [] && first["removed"] == [])
            #expect(names(first) == ["Scores"] && lists("video", events).isEmpty)

            #expect(try box.merge(["channels": [scores, cues, one]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 2 && lists("video", $0).count == 1 }
            let second = try #require(lists("data", events).last)
            #expect(second["added"] == ["settings:Cues"] && names(second) == ["Scores", "Cues"])
            #expect(lists("video", events).first?["added"] == ["settings:One"])

            let elsewhere = channel("Scores", kind: "data", port: 21_363)
            #expect(try box.merge(["channels": [elsewhere, cues, one]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 3 }
            let third = try #require(lists("data", events).last)
            #expect(third["changed"] == ["settings:Scores"] && third["added"] == [] && third["removed"] == [])
            #expect(third.at("/channels/0/port") == 21_363)

            #expect(try box.merge(["channels": [cues]])["errorString"] == nil)
            events = try box.await("events") { lists("data", $0).count == 4 && lists("video", $0).count == 2 }
            let last = try #require(lists("data", events).last)
            #expect(last["removed"] == ["settings:Scores"] && names(last) == ["Cues"])
            #expect(lists("video", events).last?["removed"] == ["settings:One"])
            #expect(lists("video", events).last?["channels"] == [])
            // The list that can be asked for is the one that was told last.
            #expect(names(try box.answer("channels", "--kind", "data")) == ["Cues"])
            #expect(try box.answer("channels", "--kind", "file")["channels"] == [])
            #expect(box.end() == .ok)
        }
    }
}
