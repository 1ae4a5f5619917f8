// SPDX-License-Identifier: Apache-2.0

/// What was seen since the start; none ever goes down.
@frozen
public struct TSCounters: Sendable, Equatable {
    public var packets: UInt64 = 0
    /// Packets whose header cannot be read.
    public var malformedPackets: UInt64 = 0
    /// Packets that a link before us marked as damaged (transport_error_indicator).
    public var transportErrors: UInt64 = 0
    /// Jumps of a continuity counter that nothing announced: num_ts_discontinuities of SVM-112.
    public var continuityErrors: UInt64 = 0
    public var duplicates: UInt64 = 0
    public var signalledDiscontinuities: UInt64 = 0
    public var scrambledPackets: UInt64 = 0
    public var crcErrors: UInt64 = 0
    public var malformedSections: UInt64 = 0
    /// Times that the program became another; its first appearance is none.
    public var programChanges: UInt64 = 0
    public var malformedDatagrams: UInt64 = 0
    public var resyncs: UInt64 = 0
    public var skippedBytes: UInt64 = 0
    public var oversizedUnits: UInt64 = 0
    public var damagedUnits: UInt64 = 0
    /// Units dropped because their PES header cannot be read.
    public var malformedPES: UInt64 = 0

    public init() {}
}
