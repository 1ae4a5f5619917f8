// SPDX-License-Identifier: Apache-2.0
import Time

/// A parity packet and the media packets that it covers, by places in the `ParityWindow`.
struct ParityGroup {
    var flow = ParityFlow.columns
    var base: Int64 = 0
    /// Distance from one packet to the next, 1...255.
    var offset: Int64 = 1
    /// Number of packets, 1...255.
    var count: Int64 = 1
    /// Number of these packets that are missing.
    var missing = 0
    var arrival = Monotonic(nanoseconds: 0)
    /// The content of the parity packet, in memory of `ParityGroups`, with room for an RTP header in front.
    var sum: ParitySum

    var last: Int64 { base &+ (count &- 1) &* offset }

    var places: StrideThrough<Int64> { stride(from: base, through: last, by: Int64.Stride(offset)) }

    func covers(_ place: Int64) -> Bool {
        guard place >= base, place <= last else { return false }
        // The value is at most 255 × 255, and a division of 32 bits is faster.
        return UInt32(truncatingIfNeeded: place &- base) % UInt32(truncatingIfNeeded: offset) == 0
    }

    func sumsSame(as other: ParityGroup) -> Bool {
        base == other.base && offset == other.offset && count == other.count
    }
}
