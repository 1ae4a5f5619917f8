// SPDX-License-Identifier: Apache-2.0
import JSON
import Synchronization
import TestSupport
import Testing
import Time
import TransportStream

@testable import Box

extension BoxTests {
    /// A whole box whose clock nobody has set, on a channel that says what time it is.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct StreamTimeTests {
        private static let port: UInt16 = 21_393

        /// Packets of a time and date table of 2031-05-06, one in each second.
        private static func table(_ number: Int) -> [UInt8] {
            guard number % 25 == 0 else { return [] }
            let utc = WallTime(nanoseconds: (1_935_800_000 + Int64(number / 25)) * 1_000_000_000)
            let section = TimeTable(utc: utc, offsets: nil).section()
            let head: [UInt8] = [0x47, 0x40, 0x14, 0x10 | UInt8(number / 25 & 0xF), 0]
            return head + section + [UInt8](repeating: 0xFF, count: 183 - section.count)
        }

        @Test func theScreenGoesByTheStreamUntilTheClockIsSet() throws {
            let isSet = Mutex(false)
            let stream = try TwoPrograms()
            let sender = try LoopbackChannel(port: Self.port, every: .milliseconds(40)) {
                { stream.period($0) + Self.table($0) }
            }
            defer { sender.stop() }
            let settings: JSONValue = [
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group),
                        "port": .integer(Int64(Self.port)), "encapsulation": "raw",
                    ]
                ], "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["playoutDelayMs": 300],
            ]
            let asked: @Sendable () -> Bool = { isSet.withLock { $0 } }
            let box = try RunningBox(settings, change: { $0.clock.isSynchronised = asked })
            let before = try box.await("status") { $0["boxId"] != nil }
            #expect(before["displayedTimeSource"] == "clock")
            _ = try box.answer("tune", "One")
            let playing = try box.await("status") { $0["displayedTimeSource"] == "stream" }
            #expect(playing["time"]?.string?.hasPrefix("2031") == false, "the box's clock is its own")
            let events = try box.answer("events")["events"]?.array ?? []
            #expect(events.allSatisfy { $0["time"]?.string?.hasPrefix("2031") == false })
            isSet.withLock { $0 = true }
            _ = try box.await("status") { $0["displayedTimeSource"] == "clock" }
            isSet.withLock { $0 = false }
            _ = try box.answer("tune", "One", "--program", "2")
            _ = try box.await("status") { $0["isPlaying"] == true }
            #expect(try box.answer("status")["displayedTimeSource"] == "clock", "it was set")
            #expect(box.end() == .ok)
        }
    }
}
