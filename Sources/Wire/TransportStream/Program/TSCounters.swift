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
    /// Times that the program became another by itself; its first appearance is none.
    public var programChanges: UInt64 = 0
    public var malformedDatagrams: UInt64 = 0
    public var resyncs: UInt64 = 0
    public var skippedBytes: UInt64 = 0
    public var oversizedUnits: UInt64 = 0
    public var damagedUnits: UInt64 = 0
    /// Units dropped because their PES header cannot be read, or the one of FWHT behind it.
    public var malformedPES: UInt64 = 0
    /// Units dropped because their PES header says that they are scrambled.
    public var scrambledUnits: UInt64 = 0
    /// PES packets that are to be decoded after they are presented: the decoding time is ignored.
    public var disorderedTimes: UInt64 = 0
    /// PES packets of sound whose rest is dropped because the framing within cannot be read (Opus).
    public var malformedAudio: UInt64 = 0
    /// Streams of a map that claim the PID of a table or of another stream; they are not delivered.
    public var refusedStreams: UInt64 = 0

    public init() {}
}
