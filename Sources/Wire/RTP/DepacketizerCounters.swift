// SPDX-License-Identifier: Apache-2.0

/// What a depacketizer saw since its start; none ever goes down.
@frozen
public struct DepacketizerCounters: Sendable, Equatable {
    public var packets: UInt64 = 0
    /// By gaps of the sequence numbers.
    public var lostPackets: UInt64 = 0
    /// Dropped: a later packet had been taken, or the same one.
    public var latePackets: UInt64 = 0
    /// Whose payload, or the rest of it, is not what its format says.
    public var malformedPackets: UInt64 = 0
    /// Of a kind that we do not read: interleaving.
    public var unsupportedPackets: UInt64 = 0
    /// Delivered though parts are missing.
    public var damagedUnits: UInt64 = 0
    /// Dropped because parts are missing.
    public var droppedUnits: UInt64 = 0
    /// Dropped because they are longer than the limit.
    public var oversizedUnits: UInt64 = 0
    /// Times that another source took over.
    public var sourceChanges: UInt64 = 0

    public init() {}

    /// A packet, by its place among the others.
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
