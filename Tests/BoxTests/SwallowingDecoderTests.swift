// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box
@testable import Codecs

extension BoxTests {
    /// Whole boxes with a decoder that takes units and gives no pictures while the sound goes on.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct SwallowingDecoderTests {
        /// PLAY-45: another decoder takes over, whether the picture froze in play or never came.
        @Test(arguments: [0, 60]) func anotherDecoderTakesOver(goodUnits: Int) throws {
            let channel = try LiveSessionTests.channel(port: 21_249)
            defer { channel.stop() }
            let device = SwallowingDevice(goodUnits: goodUnits)
            let settings: JSONValue = [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": 21_249,
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One", "playoutDelayMs": 300],
            ]
            let box = try RunningBox(settings) { options in
                options.decoders = { device.inventory }
                options.decoderOpener = { (_, _, _) throws(DecoderFault) -> any DeviceDecoder in try device.open() }
            }
            _ = try box.await("stats") { presented($0) > 0 || device.openings > 0 }
            var (last, since) = (Int64(0), SystemClock.monotonic())
            var longest = Nanoseconds.zero
            let stats = try box.await("stats", within: .seconds(20)) { stats in
                let (now, pictures) = (SystemClock.monotonic(), presented(stats))
                if pictures > last {
                    longest = max(longest, now - since)
                    (last, since) = (pictures, now)
                }
                return stats.at("/stats/playback/decoderTier") == 1 && pictures > goodUnits + 50
            }
            #expect(longest < .seconds(5), "\(longest.milliseconds) ms without a picture")
            #expect(stats.at("/stats/playback/decoderRestarts") == 2, "the device was tried twice")
            #expect(device.openings == 2)
            let events = try box.answer("events")["events"]?.array ?? []
            #expect(events.contains { $0.text().contains("hardware: wedged") })
            #expect(box.end() == .ok)
        }

        private func presented(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/stage/picturesPresented")?.integer ?? 0
        }
    }
}
