// SPDX-License-Identifier: Apache-2.0

/// What one session has counted since it was opened. Totals, but for `decoderRung`, `ladderStep` and `decodeLoad`.
public struct PlaybackCounters: Sendable, Hashable {
    public var videoOctets: Int64 = 0
    public var videoUnits: Int64 = 0
    public var damagedVideoUnits: Int64 = 0
    public var framesDecoded: Int64 = 0
    public var damagedFrames: Int64 = 0
    public var picturesHeld: Int64 = 0
    public var picturesPassed: Int64 = 0
    public var picturesTooLate: Int64 = 0
    public var decodeErrors: Int64 = 0
    public var decoderStarts: Int64 = 0
    public var decoderRung: Int64 = 0
    public var decoderRestarts: Int64 = 0
    public var unitsSkipped: Int64 = 0
    public var unitsLeftOut: Int64 = 0
    public var ladderStep: Int64 = 0
    public var ladderChanges: Int64 = 0
    public var decodeLoad: Int64 = 0
    public var audioUnits: Int64 = 0
    public var audioOctets: Int64 = 0
    public var audioUnitsDropped: Int64 = 0
    public var timestampJumps: Int64 = 0
    public var unitsWithoutTime: Int64 = 0
    public var disorderedTimes: Int64 = 0
    public var malformedUnits: Int64 = 0
    public var refusedStreams: Int64 = 0
    public var scrambledPackets: Int64 = 0
    public var programChanges: Int64 = 0
    public var unsupportedStreams: Int64 = 0
    public var historyOverruns: Int64 = 0
    public var readErrors: Int64 = 0
    public var seeks: Int64 = 0

    public init() {}
}
