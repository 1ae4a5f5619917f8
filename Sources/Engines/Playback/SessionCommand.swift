// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines
import Venue

/// A command to a playing session. Its read thread executes commands in order, between two units.
public enum SessionCommand: Sendable, Hashable {
    /// Continues at the position of the pause; ignored while playing.
    case play
    /// Holds the picture and silences the sound; ignored while paused.
    case pause
    /// - Parameter epoch: number of this seek, higher than that of all earlier ones in the session.
    case seek(SeekTarget, epoch: Int)
    case select(StreamChoice)
    /// Whether pictures are decoded and shown; sound goes on in any case (SVM-64).
    case setVisible(Bool)
    /// Makes the play-out delay D longer. Live grows to it by 0.5 % of the time that passes.
    case lengthenDelay(Nanoseconds)
    /// Plays slower (positive) or faster than live, to follow another clock: parts per billion, at most 0.5 % either way,
    /// until another rate comes; nil follows none any more. It ends at the delay D, before which nothing is complete.
    case steer(Int?)
    /// Presents what comes so much later. The picture on the screen stays meanwhile, and the sound is silent.
    case putOff(Nanoseconds)
}

/// Where a seek goes. A target beyond either end goes to that end.
public enum SeekTarget: Sendable, Hashable {
    /// This far behind live; 0 is live (SVM-58, 60).
    case behindLive(Nanoseconds)
    /// The time from the beginning of a file.
    case position(Nanoseconds)
    /// The medium runs ahead by this much, at the instants at which it would have been presented; negative: behind.
    case shifted(Nanoseconds)
}

/// Which of several streams is played.
public struct StreamChoice: Sendable, Hashable {
    /// nil for the first program.
    public var program: ProgramChoice?
    /// ISO 639-2 code. The first stream is played if it is nil or there is no stream of this language.
    public var audioLanguage: String?

    public init(program: ProgramChoice? = nil, audioLanguage: String? = nil) {
        self.program = program
        self.audioLanguage = audioLanguage
    }
}

/// The position of a session's playback clock, as its read thread last published it.
public struct PlaybackPosition: Sendable, Hashable {
    /// The distance behind live; 0 for files.
    public var behindLive: Nanoseconds = .zero
    /// How far behind live the history reaches, to which seeks are clamped (SVM-61); 0 for files.
    public var available: Nanoseconds = .zero
    /// The time from the beginning of a file, or since a live session was opened.
    public var progress: Nanoseconds = .zero
    /// The duration of a file; nil if live or not known.
    public var duration: Nanoseconds?
    /// Relates the stream's presentation time stamps to media time, by the unit that was read last; nil before the first.
    public var correlation: StreamCorrelation?
    /// The time from media time to presentation; while paused, at the instant of the pause.
    public var delay: Nanoseconds = .zero
    /// The instant of the pause; nil while playing.
    public var heldAt: Monotonic?

    public init() {}
}
