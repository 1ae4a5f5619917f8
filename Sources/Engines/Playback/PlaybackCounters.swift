// SPDX-License-Identifier: Apache-2.0

/// What one session has counted since it was opened. Totals.
public struct PlaybackCounters: Sendable, Hashable {
    /// `total_num_bytes_written` (SVM-119): octets of video handed to the decoder.
    public var videoOctets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var damagedVideoUnits: Int64 = 0
    public var framesDecoded: Int64 = 0
    /// Pictures in which the decoder met errors.
    public var damagedFrames: Int64 = 0
    /// Units that the decoder refused.
    public var decodeErrors: Int64 = 0
    public var decoderStarts: Int64 = 0
    /// Units in front of the first random-access point.
    public var unitsSkipped: Int64 = 0
    public var audioUnits: Int64 = 0
    public var audioOctets: Int64 = 0
    /// Decode times that do not follow from those before.
    public var timestampJumps: Int64 = 0
    /// The network held the stream up, or let go of what it had held.
    public var arrivalStalls: Int64 = 0
    /// Units without a time stamp, which live pictures need.
    public var unitsWithoutTime: Int64 = 0
    public var programChanges: Int64 = 0
    /// Streams of a codec that this box does not play.
    public var unsupportedStreams: Int64 = 0
    /// The session was so late that the history gave way under it.
    public var historyOverruns: Int64 = 0

    public init() {}
}
