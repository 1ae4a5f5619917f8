// SPDX-License-Identifier: Apache-2.0

/// Counters of a demultiplexer since its start; none decreases.
@frozen
public struct TSCounters: Sendable, Equatable {
    public var packets: UInt64 = 0
    /// Packets whose header cannot be read.
    public var malformedPackets: UInt64 = 0
    /// Packets that an earlier link marked as damaged (transport_error_indicator).
    public var transportErrors: UInt64 = 0
    /// Jumps of a continuity counter that were not announced: num_ts_discontinuities of SVM-112.
    public var continuityErrors: UInt64 = 0
    public var duplicates: UInt64 = 0
    public var signalledDiscontinuities: UInt64 = 0
    public var scrambledPackets: UInt64 = 0
    public var crcErrors: UInt64 = 0
    public var malformedSections: UInt64 = 0
    /// Changes of the program by the stream itself, not counting its first appearance.
    public var programChanges: UInt64 = 0
    public var malformedDatagrams: UInt64 = 0
    public var resyncs: UInt64 = 0
    public var skippedBytes: UInt64 = 0
    public var oversizedUnits: UInt64 = 0
    public var damagedUnits: UInt64 = 0
    /// Units dropped because their PES header, or the FWHT header after it, cannot be read.
    public var malformedPES: UInt64 = 0
    /// Units dropped because their PES header says that they are scrambled.
    public var scrambledUnits: UInt64 = 0
    /// PES packets whose DTS is after their PTS; the DTS is ignored.
    public var disorderedTimes: UInt64 = 0
    /// Audio PES packets whose remaining data are dropped because the framing inside cannot be read (Opus).
    public var malformedAudio: UInt64 = 0
    /// Descriptors of timelines, and PES headers beside them, that cannot be read.
    public var malformedTimelines: UInt64 = 0
    /// Streams of program maps that have the PID of a table or of another stream; they are not delivered.
    public var refusedStreams: UInt64 = 0

    public init() {}
}
