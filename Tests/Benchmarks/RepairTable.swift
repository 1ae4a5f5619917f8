// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Foundation
import TestSupport
import Time
import Venue

/// What protection windows cost and what they save: simulated, 5 Mbit/s in 475 packets per second, of which 5 % are lost in
/// bursts of 8, ten minutes for each of ten seeds.
struct RepairTable {
    static let name = "window-table"
    private static let packetsPerSecond = 475.0

    static func print() {
        write("packets + repairs, depth: delay; more octets; windows; of them failed; packets lost for good")
        for (sources, repairs, depth) in [
            (20, 8, 4), (50, 15, 6), (50, 15, 12), (100, 20, 6), (100, 30, 1), (100, 30, 3), (100, 30, 6), (100, 40, 4),
            (200, 55, 3),
        ] {
            var windows = RepairWindows(
                endpoint: FlowEndpoint(address: "239.1.1.1", port: 5_006), sourcePackets: sources,
                repairPackets: repairs, depth: depth, symbolOctets: 32, span: .seconds(1))
            windows.span = windows.leastSpan(packetsPerSecond: packetsPerSecond)
            let counters = (1...10).map { simulated(windows, seed: UInt64($0)) }
            let total = counters.reduce(0) { $0 + $1.windows }
            let failed = counters.reduce(0) { $0 + $1.failed }
            let lost = counters.reduce(0) { $0 + $1.unrecoveredPackets }
            write(
                "\(sources) + \(repairs), \(depth): \(windows.span.milliseconds) ms; \(repairs * 100 / sources) %; "
                    + "\(total); \(failed); \(lost)")
        }
    }

    private static func simulated(_ windows: RepairWindows, seed: UInt64) -> WindowCounters {
        guard let encoder = WindowEncoder(windows), let repairer = WindowRepairer(windows) else {
            fatalError("windows of ours")
        }
        var random = SplitMix64(seed: seed)
        var isBad = false
        func loses() -> Bool {
            let draw = Double(random.next() >> 11) / Double(1 << 53)
            isBad = isBad ? draw >= 0.125 : draw < 0.125 * 0.05 / 0.95
            return isBad
        }
        var packet = Array(repeating: UInt8(1), count: 20)
        packet[0] = 0x80
        for number in 0..<Int(packetsPerSecond) * 600 {
            packet[3] = UInt8(truncatingIfNeeded: number)
            let time = Monotonic(nanoseconds: Int64(Double(number) * 1e9 / packetsPerSecond))
            packet.withUnsafeBytes { packet in
                _ = encoder.packetSent(packet, at: time) { datagram in
                    if !loses() { repairer.sourceReceived(datagram, at: time) { _, _, _ in } }
                } repair: { datagram in
                    if !loses() { repairer.repairReceived(datagram, at: time) { _, _, _ in } }
                }
            }
        }
        return repairer.counters
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
