// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// Whole boxes with a play-out delay that is longer than what is read ahead of presentation.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct LongDelayTests {
        private static let port: UInt16 = 21_251

        /// The first picture comes as soon as it is decoded. Then `hold` keeps it until it is due, and `stretch` plays on.
        @Test(arguments: ["hold", "stretch"]) func theFirstPictureIsNotWithheld(policy: String) throws {
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(Self.port)),
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One", "playoutDelayMs": 3_000, "startPolicy": .string(policy)],
            ])
            _ = try box.await("status") { $0["channel"] == "One" }
            let began = SystemClock.monotonic()
            let channel = try LiveSessionTests.channel(port: Self.port)
            defer { channel.stop() }
            _ = try box.await("stats") { presented($0) > 0 }
            let first = SystemClock.monotonic() - began
            _ = try box.await("stats") { presented($0) > 10 }
            let tenth = SystemClock.monotonic() - began
            print("D = 3 s, \(policy): first picture after \(first.milliseconds) ms, the tenth \(tenth.milliseconds)")
            #expect(first < .seconds(1), "\(first.milliseconds) ms")
            let isAtOnce = tenth < .seconds(2)
            #expect(isAtOnce == (policy == "stretch"), "\(tenth.milliseconds) ms")
            #expect(box.end() == .ok)
        }

        private func presented(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/stage/picturesPresented")?.integer ?? 0
        }
    }
}
