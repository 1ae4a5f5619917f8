// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box that plays live channels without a screen.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LiveSessionTests {
        /// Three seconds of H.264 and AAC, again and again.
        static func channel(port: UInt16) throws -> LoopbackChannel {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
            let stream = [UInt8](try Data(contentsOf: file))
            return try LoopbackChannel(port: port, every: .milliseconds(40)) {
                let step = stream.count / 188 / 75 * 188
                return { number in Array(stream.dropFirst(number % 75 * step).prefix(step)) }
            }
        }

        private func frames(_ stats: JSONValue) -> Int64 { stats.at("/stats/playback/framesDecoded")?.integer ?? 0 }

        /// Sessions that follow each other faster than they end, on channels that are kept and taken up again: the last one
        /// plays, none has failed, and the box ends.
        @Test func channelsAreChangedFasterThanSessionsEnd() throws {
            let channels = try [21_241, 21_242].map { try Self.channel(port: UInt16($0)) }
            defer { for channel in channels { channel.stop() } }
            let rows = zip(["One", "Two"], [21_241, 21_242]).map { name, port -> JSONValue in
                [
                    "name": .string(name), "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                    "encapsulation": "raw",
                ]
            }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(rows),
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["sessionLimit": 1, "playoutDelayMs": 300],
            ])
            _ = try box.await("status") { $0["boxId"] != nil }
            for name in ["One", "Two"] {
                #expect(try box.answer("tune", name)["channel"] == .string(name))
                _ = try box.await("stats", within: .seconds(20)) { frames($0) > 10 }
            }
            for number in 0..<20 {
                #expect(try box.answer("tune", number % 2 == 0 ? "One" : "Two")["errorString"] == nil)
            }
            _ = try box.await("stats", within: .seconds(20)) { frames($0) > 10 }
            #expect(try box.answer("status")["channel"] == "Two")
            let events = try box.answer("events")["events"]?.array ?? []
            #expect(!events.contains { $0["type"] == "session.fail" })
            #expect(events.filter { $0["type"] == "session.terminate" }.count == 21)
            #expect(box.end() == .ok)
        }
    }
}
