// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// What the controller knows of the one session that is open. Its number is never used again (PLAY-13, 14).
public struct PlayingSession: Hashable, Sendable {
    struct PendingSeek: Hashable, Sendable {
        let ticket: Int
        let epoch: Int
        let target: Nanoseconds
        let deadline: Monotonic
        /// What the session found, nearest to the target.
        var found: PlaybackPosition?
    }

    public let id: Int
    public let video: Video
    public let source: SessionSource
    /// Nobody has asked for it.
    public let isFallback: Bool
    public let opened: Monotonic
    /// Told last.
    public internal(set) var state = PlayerState.open
    public internal(set) var streams: [StreamInfo] = []
    public internal(set) var choice: StreamChoice
    /// As somebody wishes; a hidden session is suspended as well.
    public internal(set) var isPaused: Bool
    public internal(set) var isBuffering = false
    /// Played to its end; the last picture stays.
    public internal(set) var hasEnded = false
    var isSuspended = false
    var isReady = false
    var hasPicture = false
    /// `play` has been told.
    var hasStarted = false
    /// Never paused or sought away from live, or back there again.
    var followsLive = true
    var epoch = 0
    var seek: PendingSeek?
    /// Of the last progress told; before the first, in front of a cue point at 0.
    var progress = Nanoseconds(-1)
    var duration: Nanoseconds?
    var unsupported: Set<String> = []

    init(
        id: Int, video: Video, source: SessionSource, isFallback: Bool, opened: Monotonic, choice: StreamChoice,
        isPaused: Bool
    ) {
        self.id = id
        self.video = video
        self.source = source
        self.isFallback = isFallback
        self.opened = opened
        self.choice = choice
        self.isPaused = isPaused
    }

    /// Of the channel or the video: what events call it.
    public var name: String { video.name }

    var isHeld: Bool { isPaused || isSuspended }

    /// What is played of it has no pictures: none is waited for.
    public var isSoundAlone: Bool {
        let played = streams.filter(\.isPlayed)
        return !played.isEmpty && !played.contains { $0.isVideo }
    }

    /// It goes on as soon as its sound is heard.
    public var awaitsSound: Bool {
        isSoundAlone && !isHeld && !hasEnded && (!hasStarted || isBuffering || seek != nil)
    }

    /// Pictures or sound advance (SVM-73).
    public var isPlaying: Bool { hasStarted && !isHeld && !isBuffering && !hasEnded }
}
