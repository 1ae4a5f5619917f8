// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// The repair and second path of a flow, and the reorder window that they need.
struct FlowProtection {
    var repair: Repair?
    /// Skew of the second path; nil if there is no second path.
    var skew: Nanoseconds?
    /// Nominal bandwidth of the media, kbit/s; 0 when it is not known.
    var bandwidthKbps = 0

    /// nil for a flow that has neither repair nor a second path.
    init?(_ transport: Transport, bandwidthKbps: Int) {
        guard transport.repair != nil || transport.secondPath != nil else { return nil }
        repair = transport.repair
        skew = transport.secondPath?.skew
        self.bandwidthKbps = bandwidthKbps
    }

    /// How long a gap stays open: the later path may bring the missing packet last, and its repair comes after that.
    var hold: Nanoseconds { (repair?.span ?? .zero) + (skew ?? .zero) + RTPFlow.reorderHold }

    /// Sequence numbers that are held behind a gap, a power of two: twice the packets of `hold` at the announced
    /// bandwidth, since datagrams may be small; 4,096 (20 Mbit/s for 1.5 s) where none is announced. The kernel backs
    /// only the places that are used with memory.
    var places: Int {
        let packetsPerSecond = bandwidthKbps * 1_000 / 8 / Self.payloadOctets
        var needed = bandwidthKbps > 0 ? packetsPerSecond * Int(hold.milliseconds) / 500 : Self.usualPlaces
        if case .windows(let windows)? = repair { needed = max(needed, windows.sourcePackets * (windows.depth + 1)) }
        var places = Self.fewestPlaces
        while places < needed, places < Self.mostPlaces { places *= 2 }
        return places
    }

    /// Octets of the longest payload that can be held.
    var octets: Int {
        guard case .windows(let windows)? = repair else { return Self.packetRoom }
        return min(max(windows.symbolOctets, Self.packetRoom), ReorderWindow.largestPayload)
    }

    private static let payloadOctets = 1_316
    /// Octets of the longest packet: the payload of an Ethernet frame.
    static let packetRoom = 1_500
    private static let fewestPlaces = 512
    private static let usualPlaces = 4_096
    private static let mostPlaces = 16_384
}
