// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// What keeps a flow's losses from being seen, and what that takes of its reorder window.
struct FlowProtection {
    var repair: Repair?
    /// Of a second path; nil: there is none.
    var skew: Nanoseconds?
    /// Nominal, of the media; 0: not known.
    var bandwidthKbps = 0

    /// Nil for a flow that has neither repair nor a second path.
    init?(_ transport: Transport, bandwidthKbps: Int) {
        guard transport.repair != nil || transport.secondPath != nil else { return nil }
        repair = transport.repair
        skew = transport.secondPath?.skew
        self.bandwidthKbps = bandwidthKbps
    }

    /// How long a gap stays open: what fills it may come last by the later path, and its repair after that.
    var hold: Nanoseconds { (repair?.span ?? .zero) + (skew ?? .zero) + RTPFlow.reorderHold }

    /// Packets behind a gap that are held: twice what the announced rate says, since datagrams may be small; a power of
    /// two. Where no rate is announced, 20 Mbit/s for 1.5 s. The memory of places that were never taken is not there.
    var places: Int {
        let packetsPerSecond = bandwidthKbps * 1_000 / 8 / Self.payloadOctets
        var needed = bandwidthKbps > 0 ? packetsPerSecond * Int(hold.milliseconds) / 500 : Self.usualPlaces
        if case .windows(let windows)? = repair { needed = max(needed, windows.sourcePackets * (windows.depth + 1)) }
        var places = Self.fewestPlaces
        while places < needed, places < Self.mostPlaces { places *= 2 }
        return places
    }

    /// Of the longest payload that can be held.
    var octets: Int {
        guard case .windows(let windows)? = repair else { return Self.packetRoom }
        return min(max(windows.symbolOctets, Self.packetRoom), ReorderWindow.largestPayload)
    }

    private static let payloadOctets = 1_316
    /// Octets of an Ethernet frame's contents.
    static let packetRoom = 1_500
    private static let fewestPlaces = 512
    private static let usualPlaces = 4_096
    private static let mostPlaces = 16_384
}
