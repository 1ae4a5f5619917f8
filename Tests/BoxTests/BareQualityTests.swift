// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box that plays a transport stream without RTP, whose losses nothing but its continuity counters shows.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct BareQualityTests {
        /// One datagram of so many is not sent; 0 for none.
        private final class Loss: Sendable {
            let each = Atomic<Int>(0)
        }

        /// A clip again and again, whose counters go on where it begins anew.
        private static func channel(port: UInt16, _ loss: Loss) throws -> LoopbackChannel {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../TransportStreamTests/Vectors/testsrc2.ts").standardizedFileURL
            let stream = [UInt8](try Data(contentsOf: file))
            let step = stream.count / 188 / 75 * 188
            return try LoopbackChannel(port: port, every: .milliseconds(40)) {
                var counters: [UInt16: UInt8] = [:]
                return { number in
                    var datagram = Array(stream.dropFirst(number % 75 * step).prefix(step))
                    for place in stride(from: 0, to: datagram.count, by: 188) where datagram[place + 3] & 0x10 != 0 {
                        let pid = UInt16(datagram[place + 1] & 0x1F) << 8 | UInt16(datagram[place + 2])
                        let counter = counters[pid, default: 0]
                        datagram[place + 3] = datagram[place + 3] & 0xF0 | counter
                        counters[pid] = (counter + 1) & 0xF
                    }
                    let each = loss.each.load(ordering: .relaxed)
                    return each > 0 && number % each == 0 ? [] : datagram
                }
            }
        }

        private func packets(_ stats: JSONValue) -> Int64 { stats.at("/stats/reception/tsPackets")?.integer ?? 0 }

        /// SVM-92: what is missing is measured in a window, and a loss between the two limits changes nothing.
        @Test func theLossOfBareUDPIsMeasured() throws {
            let sent = Loss()
            let channel = try Self.channel(port: 21_355, sent)
            defer { channel.stop() }
            let box = try RunningBox([
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [
                    [
                        "name": "One", "address": .string(LoopbackChannel.group), "port": 21_355,
                        "encapsulation": "raw",
                    ]
                ],
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
                "playback": ["autoTune": "One", "playoutDelayMs": 300],
                "health": [
                    "poorQuality": [
                        "windowMs": 2_000, "raisePPM": 150_000, "clearPPM": 40_000, "raiseMs": 500, "clearMs": 500,
                    ]
                ],
            ])
            _ = try box.await("stats", within: .seconds(20)) { packets($0) > 200 }
            #expect(try box.answer("service")["state"] == "up")
            // A quarter of the packets.
            sent.each.store(4, ordering: .relaxed)
            _ = try box.await("service") { $0["reasonNames"] == ["PoorQuality"] }
            // A twelfth, which is less than raises the reason, and more than clears it.
            sent.each.store(12, ordering: .relaxed)
            let before = packets(try box.answer("stats"))
            // A hundred come in a second, less what is lost, and four seconds are longer than window and patience.
            _ = try box.await("stats") { packets($0) > before + 400 }
            #expect(try box.answer("service")["reasonNames"] == ["PoorQuality"])
            sent.each.store(0, ordering: .relaxed)
            _ = try box.await("service") { $0["state"] == "up" }
            let stats = try box.answer("stats")
            #expect(stats.at("/stats/reception/lostPackets") == 0, "nothing numbers the datagrams")
            #expect(stats.at("/stats/reception/tsMissing")?.integer ?? 0 > 40)
            let events = try box.answer("events")["events"]?.array ?? []
            let states = events.filter { $0["type"] == "service.state" }
            let reasons = states.compactMap { $0.at("/payload/reasons")?.integer }
            #expect(reasons.suffix(2) == [8, 0] && reasons.count { $0 == 8 } == 1, "\(reasons)")
            #expect(box.end() == .ok)
        }
    }
}
