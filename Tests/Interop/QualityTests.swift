// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// What is wrong with a stream of ffmpeg's, and nothing else, is what `stats` and events say of it. What depends on the
    /// instants of arrival is not looked at: this machine is shared.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct QualityTests {
        /// Indicators that instants do not move.
        private static let timeless = [
            "syncLoss", "syncByte", "continuityCount", "transport", "crc", "pcrDiscontinuity", "pcrAccuracy", "cat",
            "lostToNetwork", "lostToKernel",
        ]

        private final class Ledger: @unchecked Sendable {
            // Sendable: `count` is touched under `lock` only.
            private let lock = NSLock()
            private var count: Int64 = 0

            var total: Int64 { lock.withLock { count } }

            func add(_ more: Int64) { lock.withLock { count += more } }
        }

        private func scene(_ body: (BadInputScene) async throws -> Void) async throws {
            try await TestVenue.open { try await body(BadInputScene(in: $0)) }
        }

        private func totals(_ box: BoxProcess) async throws -> [String: Int64] {
            let indicators = try await box.answer("stats").at("/stats/quality/indicators")?.object ?? [:]
            var found: [String: Int64] = [:]
            for name in Self.timeless {
                let total = indicators[name]?["total"]?.integer ?? -1
                if total != 0 { found[name] = total }
            }
            return found
        }

        /// Those that are wanted, and no others.
        private func expect(_ wanted: [String: Int64], of box: BoxProcess) async throws {
            _ = try await eventually(within: .seconds(6)) { try await totals(box) == wanted }
            let found = try await totals(box)
            #expect(found == wanted)
        }

        /// Each packet of a datagram of RTP, as it may be changed.
        private static func packets(
            _ datagram: [UInt8], _ change: (inout TransportPacket) -> Void
        ) -> [UInt8] {
            var result = Array(datagram[..<12])
            for start in stride(from: 12, to: datagram.count, by: 188) {
                var packet = TransportPacket(octets: Array(datagram[start..<start + 188]))
                change(&packet)
                result += packet.octets
            }
            return result
        }

        @Test func aGoodStreamHasNoFaults() async throws {
            try await scene { scene in
                _ = try await eventually(within: .seconds(10)) {
                    try await scene.box.counter("/quality/seconds") >= 5
                }
                try await expect([:], of: scene.box)
                let answer = try await scene.box.answer("stats")
                #expect(answer.at("/stats/quality/isConstantRate")?.bool == true)
                #expect(answer.at("/stats/regions/main/quality/seconds")?.integer ?? 0 >= 5)
                // ffmpeg rounds each PCR to a tick of 27 MHz.
                #expect(answer.at("/stats/quality/worstPCRNs")?.integer ?? .max < 80)
                let rate = answer.at("/stats/quality/bitsPerSecond")?.integer ?? 0
                #expect((1_500_000...3_500_000).contains(rate), "\(rate)")
            }
        }

        @Test func syncBytes() async throws {
            try await scene { scene in
                let ledger = Ledger()
                _ = try await scene.sender.damage(40) { datagram in
                    var (place, isDone) = (0, false)
                    return Self.packets(datagram) { packet in
                        // Of packets that nobody misses, and never of two in a row: that would be a loss of sync.
                        place += 1
                        guard !isDone, place % 7 > 1, packet.pid == 0x1fff else { return }
                        isDone = true
                        packet.octets[0] = 0x46
                        ledger.add(1)
                    }
                }
                #expect(ledger.total > 5)
                try await expect(["syncByte": ledger.total], of: scene.box)
            }
        }

        @Test func markedPackets() async throws {
            try await scene { scene in
                let ledger = Ledger()
                _ = try await scene.sender.damage(40) { datagram in
                    Self.packets(datagram) { packet in
                        guard packet.pid == 0x1fff else { return }
                        packet.octets[1] |= 0x80
                        ledger.add(1)
                    }
                }
                #expect(ledger.total > 5)
                try await expect(["transport": ledger.total], of: scene.box)
            }
        }

        @Test func brokenTables() async throws {
            try await scene { scene in
                let ledger = Ledger()
                _ = try await scene.sender.damage(200) { datagram in
                    Self.packets(datagram) { packet in
                        guard [0, StreamFault.map, 0x11].contains(packet.pid), packet.startsUnit else { return }
                        packet.octets[15] ^= 0x04  // within the section, behind its header
                        ledger.add(1)
                    }
                }
                #expect(ledger.total > 5)
                try await expect(["crc": ledger.total], of: scene.box)
            }
        }

        /// Datagrams that are lost, and the alarm that says so.
        @Test func losses() async throws {
            try await scene { scene in
                let events = try scene.box.events()
                for _ in 0..<5 {
                    // Their sequence numbers are sent, and their type is another's.
                    _ = try await scene.sender.damage(2) { [$0[0], 97] + $0[2...] }
                }
                let raised = try await events.next("channels.quality", within: .seconds(5)) { payload in
                    payload["raised"]?.array?.contains(.string("lostToNetwork")) == true
                }
                #expect(raised.at("/payload/channel")?.string == "One")
                try await scene.expect("/reception/lostToNetwork", 10)
                try await scene.expect("/reception/lostPackets", 10)
                _ = try await eventually(within: .seconds(3)) {
                    try await scene.box.counter("/quality/indicators/lostToNetwork/total") == 10
                }
                #expect(
                    try await scene.box.counters(
                        "/quality/indicators/lostToNetwork/total", "/quality/indicators/lostToKernel/total",
                        "/quality/indicators/lostToNetwork/long") == [10, 0, 10])
                #expect(try await scene.box.counter("/quality/longLossPPM") > 0)
                _ = try await events.next("channels.quality", within: .seconds(25)) { payload in
                    payload["cleared"]?.array?.contains(.string("lostToNetwork")) == true
                }
            }
        }
    }
}
