// SPDX-License-Identifier: Apache-2.0

/// What the audio thread knows of one session's sound.
public struct InputCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    /// Frames at 48 kHz during which it was not paused and had nothing that was due.
    public var silenceFrames: Int64 = 0
    /// Decoded frames that were not played: late, of an epoch before, or without a time that can be true.
    public var skippedFrames: Int64 = 0
    /// Microseconds from when its sound was due to when it is heard; negative: heard early.
    public var errorUs: Int64 = 0
    /// Parts per billion by which it is played slower than it was sent.
    public var correctionPPB: Int64 = 0
    /// Of the play-head, of what is heard now; nil: silence.
    public var playingEpoch: Int?
    /// Behind its volume.
    public var level = SoundLevel()

    public init() {}
}
