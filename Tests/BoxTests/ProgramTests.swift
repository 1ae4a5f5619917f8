// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box on a multiplex of two programs.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct ProgramTests {
        private static let port: UInt16 = 21_391

        private func box() throws -> RunningBox {
            let mux: JSONValue = [
                "address": .string(LoopbackChannel.group), "port": .integer(Int64(Self.port)), "encapsulation": "raw",
            ]
            return try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    mux.merging(patch: ["name": "Mux", "number": 1]),
                    mux.merging(patch: ["name": "Third", "number": 2, "program": "BBC THREE"]),
                    mux.merging(patch: ["name": "Second", "number": 3, "program": "BBC TWO"]),
                ], "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["playoutDelayMs": 300],
            ])
        }

        private func plays(_ program: String, _ pid: Int64, on box: RunningBox) throws {
            let status = try box.await("status") { $0["program"] == .string(program) && $0["isPlaying"] == true }
            #expect(status["noPictureBecause"] == .null)
            let streams = try box.answer("streams")["streams"]?.array ?? []
            #expect(streams.map { $0["pid"]?.integer } == [pid, pid + 1])
        }

        @Test func programsAreTunedByName() throws {
            let stream = try TwoPrograms()
            let sender = try LoopbackChannel(port: Self.port, every: .milliseconds(40)) { { stream.period($0) } }
            defer { sender.stop() }
            let box = try box()
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(try box.answer("programs") == ["programs": []])
            #expect(try box.answer("tune", "Mux")["channel"] == "Mux")
            try plays("BBC ONE", 0x100, on: box)
            let listed = try box.await("programs") { $0.at("/programs/1/name") == "BBC TWO" }
            #expect(listed.at("/programs/0/name") == "BBC ONE" && listed.at("/programs/0/provider") == "BBC")
            #expect(listed.at("/programs/0/isPlayed") == true && listed.at("/programs/1/isPlayed") == false)
            #expect(box.client("programs", "--names").output == "BBC ONE\nBBC TWO\n")

            // Another program of what is received: the group is not joined anew.
            let before = try #require(try box.answer("stats").at("/stats/reception/datagrams")?.integer)
            #expect(try box.answer("tune", "BBC TWO")["channel"] == "Mux")
            try plays("BBC TWO", 0x200, on: box)
            let after = try #require(try box.answer("stats").at("/stats/reception/datagrams")?.integer)
            #expect(after > before)
            #expect(
                try box.answer("tune", "Mux", "--program", "BBC THREE")["errorString"]?.string?.hasSuffix(
                    "program 'BBC THREE' is not in channel 'Mux': expected one of 1 BBC ONE, 2 BBC TWO") == true)
            #expect(try box.answer("program", "1")["errorString"] == nil)
            try plays("BBC ONE", 0x100, on: box)

            // What the settings say waits for the SDT, and says what is there instead.
            #expect(try box.answer("tune", "Third")["channel"] == "Third")
            _ = try box.await("status") {
                $0["noPictureBecause"]
                    == "its transport stream has no program 'BBC THREE'; it has 1 BBC ONE, 2 BBC TWO"
            }
            #expect(try box.answer("tune", "Second")["channel"] == "Second")
            try plays("BBC TWO", 0x200, on: box)

            // After the channel was left its programs are known.
            #expect(try box.answer("stop")["errorString"] == nil)
            #expect(try box.answer("programs", "Mux").at("/programs/1/name") == "BBC TWO")
            #expect(try box.answer("tune", "BBC TWO")["channel"] == "Mux")
            try plays("BBC TWO", 0x200, on: box)
            #expect(box.end() == .ok)
        }
    }
}
