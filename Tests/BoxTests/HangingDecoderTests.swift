// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import System
import Testing
import Time

@testable import Box
@testable import Codecs

extension BoxTests {
    /// Whole boxes with a decoder that hangs while its session is closed.
    @Suite(.serialized) struct HangingDecoderTests {
        private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL.path

        /// Plays the clip until its decoder hangs.
        private func open(sessions: Int64 = 4) throws -> (box: RunningBox, device: HangingDevice) {
            let device = HangingDevice()
            let settings: JSONValue = [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "output": ["width": 320, "height": 180],
                "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["sessionLimit": .integer(sessions), "autoPlay": true],
                "playlists": [["name": "Clip", "items": [["file": .string(Self.clip)]]]],
            ]
            let box = try RunningBox(settings) { options in
                options.decoders = { device.inventory }
                options.decoderOpener = { (_, _, _) throws(DecoderFault) -> any DeviceDecoder in try device.open() }
            }
            _ = try box.await("status") { $0["boxId"] != nil }
            #expect(try box.answer("playlist", "Clip")["errorString"] == nil)
            let deadline = SystemClock.monotonic() + .seconds(20)
            let pause = EventPause()
            while !device.isHanging, SystemClock.monotonic() < deadline { pause.wait() }
            try #require(device.isHanging)
            return (box, device)
        }

        /// How long a command takes that is answered.
        private func time(_ box: RunningBox, _ words: String...) throws -> Nanoseconds {
            let start = SystemClock.monotonic()
            let (_, messages, code) = words.count > 1 ? box.client(words[0], words[1]) : box.client(words[0])
            #expect(code == 0, "\(words) \(messages)")
            return SystemClock.monotonic() - start
        }

        /// The command that closes the session, and those behind it, are answered while the decoder hangs; another session
        /// plays meanwhile; and what the hanging one holds is given back when it ends.
        @Test func noCommandIsDelayed() throws {
            let (box, device) = try open()
            defer { device.release() }
            let times = [
                try time(box, "stop"), try time(box, "status"), try time(box, "volume", "30"),
                try time(box, "playlist", "Clip"), try time(box, "pause"), try time(box, "play"),
            ]
            #expect(times.allSatisfy { $0 < .seconds(1) }, "\(times.map(\.milliseconds)) ms")
            #expect(device.isHanging, "the decoder has to hang for longer than the commands take")
            let stats = try box.await("stats") { $0.at("/stats/playback/framesDecoded")?.integer ?? 0 > 3 }
            #expect(stats.at("/stats/playback/decoderTier") == 1)
            #expect(device.isHanging && stats.at("/stats/decoders/inUse") == 1)
            device.release()
            _ = try box.await("stats") { $0.at("/stats/decoders/inUse") == 0 }
            #expect(box.end() == .ok)
        }

        /// As many closed sessions may hang as may play. Beyond that a session is refused, until one of them has ended.
        @Test func hangingSessionsAreBounded() throws {
            let (box, device) = try open(sessions: 1)
            defer { device.release() }
            #expect(box.client("stop").code == 0)
            // It hangs when it has not ended after two seconds.
            let refused = try box.await("events", within: .seconds(8)) { events in
                if Self.failures(events).isEmpty { _ = box.client("playlist", "Clip") }
                return !Self.failures(events).isEmpty
            }
            #expect(
                Self.failures(refused).first
                    == "1 closed sessions do not end: expected fewer than playback.sessionLimit (1)")
            #expect(device.isHanging)
            device.release()
            _ = try box.await("stats") { $0.at("/stats/decoders/inUse") == 0 }
            _ = try box.await("stats") { stats in
                if stats.at("/stats/playback") == nil { _ = box.client("playlist", "Clip") }
                return stats.at("/stats/playback/framesDecoded")?.integer ?? 0 > 3
            }
            #expect(box.end() == .ok)
        }

        private static func failures(_ events: JSONValue) -> [String] {
            (events["events"]?.array ?? []).filter { $0["type"] == "session.fail" }
                .compactMap { $0.at("/payload/why")?.string }
        }

        /// A box whose session hangs ends all the same, and within the time that systemd gives it.
        @Test func theBoxEnds() throws {
            let (box, device) = try open()
            defer { device.release() }
            let start = SystemClock.monotonic()
            #expect(box.end() == .ok)
            #expect(SystemClock.monotonic() - start < .seconds(8) && device.isHanging)
        }
    }
}
