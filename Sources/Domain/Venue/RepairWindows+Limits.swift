// SPDX-License-Identifier: Apache-2.0
import Time

extension RepairWindows {
    /// Octets of a symbol: from the shortest RTP packet and its prefix to the longest datagram that is kept.
    public static let symbolRange = 15...2_048
    /// A window with more packets than this, repairs included, is counted as oversized (`window_warning`). Up to here
    /// the worst case, as many losses as repairs, takes less than a millisecond of one core to recover.
    public static let advisedPackets = 192

    /// Whether every number is in its range and k + r is at most 255; otherwise it can be neither sent nor repaired.
    public var isSupported: Bool {
        Self.sourceRange.contains(sourcePackets) && Self.repairRange.contains(repairPackets)
            && sourcePackets + repairPackets <= 255 && Self.depthRange.contains(depth)
            && Self.symbolRange.contains(symbolOctets) && span > .zero && span <= .seconds(3_600)
    }

    /// The smallest `span` with which every window is complete in time. A window takes `sourcePackets × depth` packets
    /// of the flow to fill, and its repairs are spread over the `sourcePackets` packets that follow.
    /// - Parameter packetsPerSecond: the lowest sustained rate of the flow without its repairs; above 0.
    /// - Returns: rounded up to the millisecond.
    public func leastSpan(packetsPerSecond: Double) -> Nanoseconds {
        guard packetsPerSecond > 0 else { return .seconds(3_600) }
        let packets = Double(sourcePackets * (depth + 1))
        return .milliseconds(Int64(min(packets / packetsPerSecond, 3_600) * 1_000) + 1)
    }
}
