// SPDX-License-Identifier: Apache-2.0

/// What the audio thread knows of one session's sound.
public struct InputCounters: Sendable, Hashable {
    public var unitsDecoded: Int64 = 0
    public var decodeErrors: Int64 = 0
    public var silenceFrames: Int64 = 0
    public var skippedFrames: Int64 = 0
    public var errorUs: Int64 = 0
    public var correctionPPB: Int64 = 0
    /// Of the play-head, of what is heard now; nil: silence.
    public var playingEpoch: Int?
    /// Behind its volume.
    public var level = SoundLevel()

    public init() {}
}
