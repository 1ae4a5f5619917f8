// SPDX-License-Identifier: Apache-2.0

/// The counts of one session since it was opened. `decoderTier`, `ladderStep` and `decodeLoad` are current values.
public struct PlaybackCounters: Sendable, Hashable {
    /// Octets of video that were handed to the decoder; the reference's `total_num_bytes_written` (SVM-119).
    public var videoOctets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var damagedVideoUnits: Int64 = 0
    public var framesDecoded: Int64 = 0
    public var damagedFrames: Int64 = 0
    /// Pictures that were not shown because they show damage, of their own or of a picture that they refer to.
    public var picturesHeld: Int64 = 0
    /// Pictures that were decoded only because a later picture, which was wanted, refers to them.
    public var picturesPassed: Int64 = 0
    public var picturesTooLate: Int64 = 0
    public var decodeErrors: Int64 = 0
    public var decoderStarts: Int64 = 0
    public var decoderTier: Int64 = 0
    /// Decoders that were replaced because they hung or failed continuously.
    public var decoderRestarts: Int64 = 0
    /// Decoders that did not return from a call, and were left with their threads.
    public var decodersHung: Int64 = 0
    /// Units that were skipped before a random-access point.
    public var unitsSkipped: Int64 = 0
    /// Skipped units of a stream whose parameter sets had not come yet. Without them nothing can be decoded.
    public var unitsWithoutParameterSets: Int64 = 0
    /// Units that were not decoded because the decoder was too far behind.
    public var unitsLeftOut: Int64 = 0
    /// The present step of the overload ladder: 0 everything is decoded, 1 with more threads, 2 without loop filter, 3
    /// without pictures that no other refers to, 4 random-access points only.
    public var ladderStep: Int64 = 0
    public var ladderChanges: Int64 = 0
    /// Decoding time of recent pictures, per mille of their time.
    public var decodeLoad: Int64 = 0
    public var audioUnits: Int64 = 0
    public var audioOctets: Int64 = 0
    public var audioUnitsDropped: Int64 = 0
    /// Jumps of the decoding time to another timeline.
    public var timestampJumps: Int64 = 0
    /// Video units without a time stamp.
    public var unitsWithoutTime: Int64 = 0
    /// Units whose presentation time is before their decoding time.
    public var disorderedTimes: Int64 = 0
    /// PES packets and units of sound that cannot be parsed.
    public var malformedUnits: Int64 = 0
    /// Streams of the PMT that are invalid: on a PID of tables, or on one that occurs twice.
    public var refusedStreams: Int64 = 0
    public var scrambledPackets: Int64 = 0
    public var programChanges: Int64 = 0
    /// Streams whose codec the box does not play.
    public var unsupportedStreams: Int64 = 0
    /// Times that the history overwrote what the session had not read yet.
    public var historyOverruns: Int64 = 0
    /// Errors in reading a file.
    public var readErrors: Int64 = 0
    public var seeks: Int64 = 0

    public init() {}

    /// Pictures that were not handed to the stage: refused by the decoder, decoded too late, or left out because the
    /// decoder was too far behind.
    public var picturesLeftOut: Int64 { decodeErrors + picturesTooLate + unitsLeftOut }
}
