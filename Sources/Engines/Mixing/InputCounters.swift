// SPDX-License-Identifier: Apache-2.0

/// Counters and state of one session's sound, from the audio thread.
public struct InputCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    /// Frames at 48 kHz for which the session was not paused and had no sound that was due.
    public var silenceFrames: Int64 = 0
    /// Decoded frames that were not played: late, of an earlier epoch, or without a plausible time.
    public var skippedFrames: Int64 = 0
    /// How late the sound is heard, microseconds; negative when early.
    public var errorUs: Int64 = 0
    /// How much slower the sound is played than it was sent, parts per billion.
    public var correctionPPB: Int64 = 0
    /// Epoch of the playback clock to which the sound that is heard belongs; nil during silence.
    public var playingEpoch: Int?
    /// Level after the session's volume was applied.
    public var level = SoundLevel()

    public init() {}
}
