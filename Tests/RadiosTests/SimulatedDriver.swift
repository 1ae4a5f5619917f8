// SPDX-License-Identifier: Apache-2.0
import Radio
import TestSupport
import Time

/// A driver with one association at a time, whose packet counter has 32 bits, and what it has truly counted. What is
/// counted behind an association's last sample nobody can know, so that the truth leaves it out.
struct SimulatedDriver {
    private(set) var address: HardwareAddress?
    private var start: Int64 = 0
    private var octets: UInt64 = 0
    private var packets: UInt64 = 0
    /// Counted at the last sample of this association.
    private var sampled: (octets: UInt64, packets: UInt64) = (0, 0)
    private(set) var octetsInTruth: UInt64 = 0
    private(set) var packetsInTruth: UInt64 = 0
    private(set) var roams: UInt64 = 0
    private(set) var connects: UInt64 = 0
    private(set) var disconnects: UInt64 = 0

    /// - Parameter ms: now.
    mutating func associate(_ new: HardwareAddress, ms: Int64) {
        if address == nil { connects += 1 } else { roams += 1 }
        address = new
        start = ms
        (octets, packets, sampled) = (0, 0, (0, 0))
    }

    mutating func end() {
        disconnects += 1
        address = nil
    }

    mutating func count(_ random: inout SplitMix64) {
        guard address != nil else { return }
        octets += UInt64.random(in: 0...1 << 28, using: &random)
        packets += UInt64.random(in: 0...1 << 28, using: &random)
    }

    mutating func sample(ms: Int64) -> StationFigures? {
        guard let address else { return nil }
        octetsInTruth += octets - sampled.octets
        packetsInTruth += packets - sampled.packets
        sampled = (octets, packets)
        return RadioScript.station(
            address, connected: ms / 1_000 - start / 1_000, octets: octets,
            packets: UInt32(truncatingIfNeeded: packets))
    }
}
