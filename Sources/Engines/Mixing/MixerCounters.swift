// SPDX-License-Identifier: Apache-2.0

/// What the audio thread has counted since it started, all sessions together.
public struct MixerCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    /// Frames of samples written to the output.
    public var framesWritten: Int64 = 0
    /// Frames during which a session that was not paused had nothing that was due.
    public var silenceFrames: Int64 = 0
    /// Decoded frames that were not played: late, of an epoch before, or without a time that can be true.
    public var skippedFrames: Int64 = 0
    /// How often outputs ran dry.
    public var underruns: Int64 = 0
    /// Outputs that could not be opened, were lost, or did not keep what was written.
    public var outputErrors: Int64 = 0
    /// Outputs that were opened and then lost: a card was pulled, its driver takes nothing any more.
    public var outputsLost: Int64 = 0
    /// How often an output was looked for in vain.
    public var outputRetries: Int64 = 0
    /// Whether sound goes nowhere because there is no output: 1, else 0.
    public var isWithoutOutput: Int64 = 0
    /// Where sound goes: a PCM, a file; empty while it goes nowhere.
    public var device = ""
    /// Of the session attached first: microseconds from when its sound was due to when it is heard; negative: early.
    public var audioErrorUs: Int64 = 0
    /// Of the session attached first: parts per billion by which it is played slower than it was sent.
    public var correctionPPB: Int64 = 0
    /// Of the sum, see `SoundLevel`.
    public var peakCentidecibels: Int64 = Int64(SoundLevel.silence)
    public var rmsCentidecibels: Int64 = Int64(SoundLevel.silence)

    public init() {}
}
