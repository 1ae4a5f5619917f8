// SPDX-License-Identifier: Apache-2.0

/// What one session has counted since it was opened. Totals, but for `decoderRung`, `ladderStep` and `decodeLoad`.
public struct PlaybackCounters: Sendable, Hashable {
    /// `total_num_bytes_written` (SVM-119): octets of video handed to the decoder.
    public var videoOctets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var damagedVideoUnits: Int64 = 0
    public var framesDecoded: Int64 = 0
    /// Pictures in which the decoder met errors.
    public var damagedFrames: Int64 = 0
    /// Pictures not shown because they show damage, their own or another's.
    public var picturesHeld: Int64 = 0
    /// Pictures decoded only because a later one, that was wanted, refers to them.
    public var picturesPassed: Int64 = 0
    /// Pictures that came out of a busy decoder too late to be shown.
    public var picturesTooLate: Int64 = 0
    /// Units that the decoder refused.
    public var decodeErrors: Int64 = 0
    public var decoderStarts: Int64 = 0
    /// What decodes now: 0 nothing, 1 the processor, 2 a device.
    public var decoderRung: Int64 = 0
    /// Decoders given up because they only erred, or hung.
    public var decoderRestarts: Int64 = 0
    /// Units in front of the first random-access point.
    public var unitsSkipped: Int64 = 0
    /// Units not decoded because the decoder was too far behind.
    public var unitsLeftOut: Int64 = 0
    /// What the decoder leaves out now: 0 nothing, 1 nothing, with another thread, 2 loop filter, 3 pictures that no
    /// other refers to, 4 all but random-access points.
    public var ladderStep: Int64 = 0
    public var ladderChanges: Int64 = 0
    /// Decoding time of recent pictures in their time, per mille.
    public var decodeLoad: Int64 = 0
    public var audioUnits: Int64 = 0
    public var audioOctets: Int64 = 0
    public var audioUnitsDropped: Int64 = 0
    /// Decode times that do not follow from those before.
    public var timestampJumps: Int64 = 0
    /// Units without a time stamp, which live pictures need.
    public var unitsWithoutTime: Int64 = 0
    /// Units whose presentation lies before their decoding.
    public var disorderedTimes: Int64 = 0
    /// PES packets and sound units that cannot be read.
    public var malformedUnits: Int64 = 0
    /// Streams of the map that cannot be: a PID of tables, or one twice.
    public var refusedStreams: Int64 = 0
    public var scrambledPackets: Int64 = 0
    public var programChanges: Int64 = 0
    /// Streams of a codec that this box does not play.
    public var unsupportedStreams: Int64 = 0
    /// The session was so late that the history gave way under it.
    public var historyOverruns: Int64 = 0
    /// Of a file.
    public var readErrors: Int64 = 0
    public var seeks: Int64 = 0

    public init() {}
}
