// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box whose sessions go from region to region while they play.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct MoveTests {
        private static let ports: [UInt16] = [21_351, 21_352]

        private func count(_ path: String, of region: String, _ stats: JSONValue) -> Int64 {
            stats.at("/stats/regions/" + region + "/" + path)?.integer ?? 0
        }

        private func decoded(_ region: String, _ stats: JSONValue) -> Int64 {
            count("playback/framesDecoded", of: region, stats)
        }

        private func presented(_ region: String, _ stats: JSONValue) -> Int64 {
            count("stage/picturesPresented", of: region, stats)
        }

        private func open(_ body: (RunningBox) throws -> Void) throws {
            let channels = try Self.ports.map { try LiveSessionTests.channel(port: $0) }
            defer { for channel in channels { channel.stop() } }
            let rows = zip(["One", "Two"], Self.ports).map { name, port -> JSONValue in
                [
                    "name": .string(name), "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                    "encapsulation": "raw",
                ]
            }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(rows),
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["playoutDelayMs": 300],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            _ = try box.answer("layout", "quad")
            #expect(try box.answer("tune", "One")["channel"] == "One")
            #expect(try box.answer("tune", "Two", "--region", "second")["channel"] == "Two")
            _ = try box.await("stats", within: .seconds(20)) { stats in
                presented("main", stats) > 10 && presented("second", stats) > 10
            }
            try body(box)
            #expect(box.end() == .ok)
        }

        /// SVM-55: two sessions change places, and nothing of either begins anew.
        @Test func sessionsAreExchanged() throws {
            try open { box in
                let before = try box.answer("stats")
                let moved = try box.answer("move", "main", "second")
                #expect(moved == ["session": 1, "name": "One", "region": "second", "exchanged": 2])
                let stage = try box.answer("regions")
                #expect(row("main", of: stage)["session"] == 2 && row("main", of: stage)["plays"] == "Two")
                #expect(row("second", of: stage)["session"] == 1 && row("second", of: stage)["plays"] == "One")
                #expect(row("main", of: stage)["isMuted"] == false && row("second", of: stage)["isMuted"] == true)
                let after = try box.answer("stats")
                for (region, former) in [("main", "second"), ("second", "main")] {
                    #expect(decoded(region, after) >= decoded(former, before), "the decoder counts on")
                    let starts = count("playback/decoderStarts", of: former, before)
                    #expect(starts > 0 && count("playback/decoderStarts", of: region, after) == starts)
                    let datagrams = count("reception/datagrams", of: former, before)
                    #expect(datagrams > 0 && count("reception/datagrams", of: region, after) >= datagrams)
                    #expect(presented(region, after) >= presented(region, before), "a region counts its pictures on")
                }
                let later = try box.await("stats") { stats in
                    presented("main", stats) > presented("main", after) + 10
                        && presented("second", stats) > presented("second", after) + 10
                }
                #expect(decoded("main", later) > decoded("main", after))
                #expect(count("reception/rejoins", of: "main", later) == 0)
                let events = try box.answer("events")["events"]?.array ?? []
                let moves = events.filter { $0["type"] == "session.move" }.compactMap { $0["payload"] }
                #expect(
                    moves == [
                        ["session": 1, "from": "main", "region": "second"], ["session": 2, "from": "second"],
                    ])
                #expect(!events.contains { $0["type"] == "session.terminate" || $0["type"] == "session.fail" })
                // A command about a session finds it where it is.
                #expect(try box.answer("pause", "--session", "1") == [:])
                #expect(try box.answer("position", "--region", "second")["isPaused"] == true)
                #expect(try box.answer("position")["isPaused"] == false)
            }
        }

        /// Into an empty region, which leaves the slate behind; and what cannot be moved.
        @Test func aSessionMovesAway() throws {
            try open { box in
                let before = try box.answer("stats")
                let slates = before.at("/stats/stage/slatesShown")?.integer ?? 0
                #expect(
                    try box.answer("move", "second", "third") == ["session": 2, "name": "Two", "region": "third"])
                let stage = try box.answer("regions")
                #expect(row("second", of: stage)["session"] == .null && row("third", of: stage)["session"] == 2)
                let stats = try box.await("stats") { stats in
                    presented("third", stats) > 10 && stats.at("/stats/stage/slatesShown")?.integer ?? 0 > slates
                }
                #expect(decoded("third", stats) > decoded("second", before), "the decoder counts on")
                #expect(
                    try box.answer("move", "second", "main")["errorString"]
                        == "nothing plays in region 'second': expected a region in which something does")
                #expect(
                    try box.answer("move", "main", "main")["errorString"]
                        == "to is 'main'; expected another region than from")
                #expect(
                    try box.answer("move", "main", "fifth")["errorString"]
                        == "region 'fifth' is not on the stage: expected one of main, second, third, fourth")
                #expect(row("main", of: try box.answer("regions"))["session"] == 1, "a refusal changes nothing")
                // What comes to main again is heard there.
                #expect(try box.answer("move", "third", "main")["exchanged"] == 1)
                #expect(try box.answer("status")["channel"] == "Two")
            }
        }
    }
}
