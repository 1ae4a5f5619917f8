// SPDX-License-Identifier: Apache-2.0
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box
@testable import Codecs

extension BoxTests {
    /// Whole boxes with a decoder that does not return from a call while the sound goes on (PLAY-45).
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct StuckDecoderTests {
        private func open(_ device: StuckDevice, port: UInt16) throws -> RunningBox {
            try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": .integer(Int64(port)),
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One", "playoutDelayMs": 300],
            ]) { options in
                options.decoders = { device.inventory }
                options.decoderOpener = { (_, _, _) throws(DecoderFault) -> any DeviceDecoder in try device.open() }
            }
        }

        private func presented(_ stats: JSONValue) -> Int64 {
            stats.at("/stats/stage/picturesPresented")?.integer ?? 0
        }

        private func heard(_ stats: JSONValue) -> Int64 { stats.at("/stats/playback/audioUnits")?.integer ?? 0 }

        /// Whether the picture froze in play or never came, it returns, in the same session; what hung is left behind, and
        /// does no harm when it returns.
        @Test(arguments: [0, 60]) func thePictureReturns(goodUnits: Int) throws {
            let channel = try LiveSessionTests.channel(port: 21_353)
            defer { channel.stop() }
            let device = StuckDevice(goodUnits: goodUnits)
            defer { device.release() }
            let box = try open(device, port: 21_353)
            let frozen = try box.await("stats", within: .seconds(20)) { _ in device.calls == 1 }
            let stats = try box.await("stats", within: .seconds(20)) { stats in
                stats.at("/stats/playback/decoderTier") == 1 && presented(stats) > goodUnits + 50
            }
            #expect(stats.at("/stats/playback/decodersHung") == 1 && device.calls == 1)
            #expect(stats.at("/stats/playback/framesDecoded")?.integer ?? 0 > goodUnits)
            #expect(heard(stats) > heard(frozen))
            #expect(stats.at("/stats/decoders/inUse") == 1, "the thread that hangs keeps its decoder")
            let events = try box.answer("events")["events"]?.array ?? []
            #expect(events.contains { $0.text().contains("hardware: hung") })
            #expect(!events.contains { $0["type"] == "session.fail" || $0["type"] == "session.terminate" })
            #expect(try box.answer("status")["session"] == 1)
            device.release()
            let after = try box.await("stats") { $0.at("/stats/decoders/inUse") == 0 }
            _ = try box.await("stats") { presented($0) > presented(after) + 10 }
            #expect(box.end() == .ok)
        }

        /// A session leaves three threads behind and no more: then it fails, and the slate says so instead of a still picture.
        @Test func aSessionIsGivenUp() throws {
            let channel = try LiveSessionTests.channel(port: 21_354)
            defer { channel.stop() }
            let device = StuckDevice(count: 4, goodUnits: 20)
            defer { device.release() }
            let box = try open(device, port: 21_354)
            let events = try box.await("events", within: .seconds(40)) { events in
                (events["events"]?.array ?? []).contains { $0["type"] == "session.fail" }
            }
            let failure = (events["events"]?.array ?? []).first { $0["type"] == "session.fail" }
            #expect(failure?.at("/payload/why") == "3 decoders hang")
            #expect(device.calls == 3)
            // Both ends of a session, and the box's, wait for nothing that hangs.
            #expect(box.end() == .ok)
        }
    }
}
