// SPDX-License-Identifier: Apache-2.0

/// What the audio thread has counted since it started, all sessions together.
public struct MixerCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    public var framesWritten: Int64 = 0
    public var silenceFrames: Int64 = 0
    public var skippedFrames: Int64 = 0
    public var underruns: Int64 = 0
    public var outputErrors: Int64 = 0
    public var outputsLost: Int64 = 0
    public var outputRetries: Int64 = 0
    public var isWithoutOutput: Int64 = 0
    /// Where sound goes: a PCM, a file; empty while it goes nowhere.
    public var device = ""
    public var audioErrorUs: Int64 = 0
    public var correctionPPB: Int64 = 0
    /// Of the sum, see `SoundLevel`.
    public var peakCentidecibels: Int64 = Int64(SoundLevel.silence)
    public var rmsCentidecibels: Int64 = Int64(SoundLevel.silence)

    public init() {}
}
