// SPDX-License-Identifier: Apache-2.0
import Time

/// A parity packet and what it sums, by places in the `ParityWindow`.
struct ParityGroup {
    var flow = ParityFlow.columns
    var base: Int64 = 0
    /// From one packet to the next: 1...255.
    var offset: Int64 = 1
    /// Packets: 1...255.
    var count: Int64 = 1
    /// Of them, not there.
    var missing = 0
    var arrival = Monotonic(nanoseconds: 0)
    /// The parity packet's own; in memory of `ParityGroups`, with room for RTP's header in front.
    var sum: ParitySum

    var last: Int64 { base &+ (count &- 1) &* offset }

    var places: StrideThrough<Int64> { stride(from: base, through: last, by: Int64.Stride(offset)) }

    func covers(_ place: Int64) -> Bool {
        guard place >= base, place <= last else { return false }
        // At most 255 × 255: the narrow division is quicker.
        return UInt32(truncatingIfNeeded: place &- base) % UInt32(truncatingIfNeeded: offset) == 0
    }

    func sumsSame(as other: ParityGroup) -> Bool {
        base == other.base && offset == other.offset && count == other.count
    }
}
