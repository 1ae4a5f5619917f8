// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box with little memory for histories; nothing is sent to its channels.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LittleMemoryTests {
        @Test func keptChannelsGiveWayAndThenChannelsAreRefused() throws {
            let channels = ["A", "B", "C", "D"].enumerated().map { index, name -> JSONValue in
                ["name": .string(name), "address": "239.255.77.33", "port": .integer(Int64(21_321 + index))]
            }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
                "output": ["width": 320, "height": 180], "sound": ["kind": "null"], "log": ["level": "error"],
                "playback": ["historyLimitMB": 8, "historiesLimitMB": 13],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            func events(_ type: String) throws -> [JSONValue] {
                let all = try box.answer("events")["events"]?.array ?? []
                return all.filter { $0["type"]?.string == type }.compactMap { $0["payload"] }
            }
            _ = try box.answer("layout", "quad")
            // A is received on when it is left, until B needs its memory.
            #expect(try box.answer("tune", "A", "--region", "second")["channel"] == "A")
            #expect(try box.answer("stop", "--region", "second")["errorString"] == nil)
            #expect(try box.answer("tune", "B")["channel"] == "B")
            let first = try box.await("events") { answer in
                answer["events"]?.array?.contains { $0["type"] == "session.historyCut" } == true
            }
            #expect(!first.isNull)
            #expect(try events("session.historyCut").map { $0["shed"] } == [["A"]])
            #expect(try events("session.historyCut").map { $0["grantedMB"] } == [8])
            // C gets what is left, which is less than the settings say.
            #expect(try box.answer("tune", "C", "--region", "second")["channel"] == "C")
            _ = try box.await("events") { answer in
                answer["events"]?.array?.count { $0["type"] == "session.historyCut" } == 2
            }
            let second = try #require(try events("session.historyCut").last)
            #expect(second["channel"] == "C" && second["wantedMB"] == 8 && second["grantedMB"] == 5)
            #expect(second["shed"] == [] && second["region"] == "second")
            // For D nothing is left, and it is told what would have to be.
            _ = try box.answer("tune", "D", "--region", "third")
            let why = try events("session.fail").last?["why"]?.string ?? ""
            #expect(why.hasPrefix("histories have 13 MB of playback.historiesLimitMB (13): expected 5 MB"), "\(why)")
            let plays = try box.answer("regions")["regions"]?.array?.map { $0["plays"]?.string } ?? []
            #expect(plays == ["B", "C", nil, nil])
            #expect(box.end() == .ok)
        }
    }
}
