// SPDX-License-Identifier: Apache-2.0
import Time

extension RepairWindows {
    /// Octets of a symbol: the shortest RTP packet with what stands before it, up to the longest datagram that is kept.
    public static let symbolRange = 15...2_048
    /// Packets of a window with its repairs above which it is counted as oversized (`window_warning`): up to here the worst
    /// case, as many losses as repairs, takes less than a millisecond of one core to make good.
    public static let advisedPackets = 192

    /// Whether every number is in its range and k + r is at most 255: nothing else can be sent or repaired.
    public var isSupported: Bool {
        Self.sourceRange.contains(sourcePackets) && Self.repairRange.contains(repairPackets)
            && sourcePackets + repairPackets <= 255 && Self.depthRange.contains(depth)
            && Self.symbolRange.contains(symbolOctets) && span > .zero && span <= .seconds(3_600)
    }

    /// The least `span` with which every window is full before its time is up: a window takes `sourcePackets × depth`
    /// packets of the flow to fill, and its repairs go out evenly during the `sourcePackets` packets that follow.
    /// - Parameter packetsPerSecond: of the flow without repairs, its lowest sustained rate; above 0.
    /// - Returns: rounded up to the millisecond.
    public func leastSpan(packetsPerSecond: Double) -> Nanoseconds {
        guard packetsPerSecond > 0 else { return .seconds(3_600) }
        let packets = Double(sourcePackets * (depth + 1))
        return .milliseconds(Int64(min(packets / packetsPerSecond, 3_600) * 1_000) + 1)
    }
}
