// SPDX-License-Identifier: Apache-2.0

/// Counters of the audio thread since it started, of all sessions together.
public struct MixerCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    /// Frames written to the output.
    public var framesWritten: Int64 = 0
    /// Frames for which a session that was not paused had no sound that was due.
    public var silenceFrames: Int64 = 0
    /// Decoded frames that were not played: late, of an earlier epoch, or without a plausible time.
    public var skippedFrames: Int64 = 0
    /// Underruns of outputs.
    public var underruns: Int64 = 0
    /// Failures to open an output, losses of an output, and failed writes.
    public var outputErrors: Int64 = 0
    /// Outputs that were lost after they had been opened: a card was pulled, or its driver stopped taking frames.
    public var outputsLost: Int64 = 0
    /// Failed attempts to open an output.
    public var outputRetries: Int64 = 0
    /// 1 while there is no output and sound is dropped, else 0.
    public var isWithoutOutput: Int64 = 0
    /// Name of the output: a PCM or a file; empty while there is none.
    public var device = ""
    /// How late the sound of the session attached first is heard, microseconds; negative when early.
    public var audioErrorUs: Int64 = 0
    /// How much slower the sound of the session attached first is played than it was sent, parts per billion.
    public var correctionPPB: Int64 = 0
    /// Levels of the sum, see `SoundLevel`.
    public var peakCentidecibels: Int64 = Int64(SoundLevel.silence)
    public var rmsCentidecibels: Int64 = Int64(SoundLevel.silence)

    public init() {}
}
