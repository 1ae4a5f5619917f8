// SPDX-License-Identifier: Apache-2.0

/// Counters of a depacketizer since its start; none decreases.
@frozen
public struct DepacketizerCounters: Sendable, Equatable {
    public var packets: UInt64 = 0
    /// Packets lost, by gaps in the sequence numbers.
    public var lostPackets: UInt64 = 0
    /// Packets dropped because they are duplicates or a later packet was taken before.
    public var latePackets: UInt64 = 0
    /// Packets whose payload, or the rest of it, violates its format.
    public var malformedPackets: UInt64 = 0
    /// Packets of a kind that is not supported: interleaving of AAC, PACI of HEVC.
    public var unsupportedPackets: UInt64 = 0
    /// Units delivered although parts are missing.
    public var damagedUnits: UInt64 = 0
    /// Units dropped because parts are missing.
    public var droppedUnits: UInt64 = 0
    /// Units dropped because they are longer than the limit.
    public var oversizedUnits: UInt64 = 0
    /// Number of times that another source took over.
    public var sourceChanges: UInt64 = 0

    public init() {}

    /// Counts a packet by its position in the sequence.
    mutating func count(_ verdict: SequenceOrder.Verdict) {
        packets &+= 1
        switch verdict {
        case .inOrder: break
        case .late: latePackets &+= 1
        case .gap(let missing): lostPackets &+= missing
        case .newSource: sourceChanges &+= 1
        }
    }
}
