// SPDX-License-Identifier: Apache-2.0
import Time

/// What the control plane asks of a playing session; carried out by its read thread between two units, in order.
public enum SessionCommand: Sendable, Hashable {
    /// Goes on from where it was paused; nothing when it plays.
    case play
    /// Holds the picture and is silent; nothing when it is paused.
    case pause
    /// - Parameter epoch: of this seek: higher than that of any before it in the session.
    case seek(SeekTarget, epoch: Int)
    case select(StreamChoice)
    /// Whether pictures are decoded and shown; sound goes on (SVM-64).
    case setVisible(Bool)
    /// The decoder hangs or errs: make another (PLAY-45).
    case restartDecoder
}

/// Where a play-head shall go. Beyond either end it goes to that end.
public enum SeekTarget: Sendable, Hashable {
    /// So far behind live; 0 is live (SVM-58, 60).
    case behindLive(Nanoseconds)
    /// From the beginning of a file.
    case position(Nanoseconds)
}

/// Which of several streams are played.
public struct StreamChoice: Sendable, Hashable {
    /// Program number; nil: the first.
    public var program: UInt16?
    /// ISO 639-2 code; nil, or not there: the first.
    public var audioLanguage: String?

    public init(program: UInt16? = nil, audioLanguage: String? = nil) {
        self.program = program
        self.audioLanguage = audioLanguage
    }
}

/// Where a session's play-head is, as its read thread has published it.
public struct PlaybackPosition: Sendable, Hashable {
    /// Behind live; 0 for files.
    public var behindLive: Nanoseconds = .zero
    /// How far behind live the history reaches; what clamping uses (SVM-61). 0 for files.
    public var available: Nanoseconds = .zero
    /// From the beginning of a file; of a live session: since it was opened.
    public var progress: Nanoseconds = .zero
    /// Of a file; nil: live, or not known.
    public var duration: Nanoseconds?

    public init() {}
}
