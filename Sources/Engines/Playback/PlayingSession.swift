// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// What the controller knows of the one session that is open. Its number is never used again (PLAY-13, 14).
public struct PlayingSession: Hashable, Sendable {
    /// How far a session has come. It never goes back.
    enum Progress: Hashable, Sendable {
        /// Nothing is known of what it plays.
        case opening
        /// Its streams are known. Nothing of it has been presented.
        case ready
        /// Its first picture is on the screen, but it is held: `play` has not been told.
        case shown
        /// `play` has been told. It has no picture as long as only its sound is heard.
        case started(hasPicture: Bool)
    }

    /// Whether that which is to be presented is there.
    enum Supply: Hashable, Sendable {
        case flowing
        /// Something should be presented that has not come.
        case buffering
        /// It has been played to its end. The last picture stays.
        case ended
    }

    /// Why the play-head stands still. It moves when there is no reason.
    struct Holds: OptionSet, Hashable, Sendable {
        let rawValue: Int

        /// Somebody wished it.
        static let paused = Holds(rawValue: 1)
        /// The region is hidden, and nothing may play in the background.
        static let suspended = Holds(rawValue: 2)
    }

    /// Where the play-head is, as the viewer has led it.
    enum Place: Hashable, Sendable {
        /// The session was never paused or sought away from live, or it has returned there.
        case atLive
        case elsewhere
        case seeking(PendingSeek)
    }

    struct PendingSeek: Hashable, Sendable {
        let ticket: Int
        let epoch: Int
        let target: Nanoseconds
        let deadline: Monotonic
        /// The place that the session found, nearest to the target. nil until it has reported one.
        var found: PlaybackPosition?
    }

    public let id: Int
    public let video: Video
    public let source: SessionSource
    /// Nobody has asked for this session: it plays because another one failed or ended.
    public let isFallback: Bool
    public let opened: Monotonic
    /// The state that was told last.
    public internal(set) var state = PlayerState.open
    public internal(set) var streams: [StreamInfo] = []
    public internal(set) var choice: StreamChoice
    private(set) var progress = Progress.opening
    private(set) var supply = Supply.flowing
    private(set) var holds: Holds
    private(set) var place = Place.atLive
    /// Number of the newest seek; 0 before the first.
    var epoch = 0
    /// Position of the progress event told last. Before the first it lies in front of a cue point at 0.
    var toldPosition = Nanoseconds(-1)
    /// nil while it is not known, and for a live session.
    var duration: Nanoseconds?
    /// Streams that were told to be unsupported.
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
        holds = isPaused ? .paused : []
    }

    /// Name of the channel or the video, as events have it.
    public var name: String { video.name }

    // MARK: What the phases say

    /// Somebody wishes it; a hidden session that nobody paused is held as well.
    public var isPaused: Bool { holds.contains(.paused) }
    public var isBuffering: Bool { supply == .buffering }
    /// The session has been played to its end. The last picture stays.
    public var hasEnded: Bool { supply == .ended }
    var isSuspended: Bool { holds.contains(.suspended) }
    var isHeld: Bool { !holds.isEmpty }
    var isReady: Bool { progress != .opening }
    var followsLive: Bool { place == .atLive }

    var hasPicture: Bool {
        switch progress {
        case .opening, .ready: false
        case .shown: true
        case .started(let hasPicture): hasPicture
        }
    }

    /// `play` has been told.
    var hasStarted: Bool {
        if case .started = progress { true } else { false }
    }

    var seek: PendingSeek? {
        if case .seeking(let seek) = place { seek } else { nil }
    }

    /// The streams that are played have no pictures: none is waited for.
    public var isSoundAlone: Bool {
        let played = streams.filter(\.isPlayed)
        return !played.isEmpty && !played.contains { $0.isVideo }
    }

    /// The session goes on as soon as its sound is heard.
    public var awaitsSound: Bool {
        isSoundAlone && !isHeld && !hasEnded && (!hasStarted || isBuffering || seek != nil)
    }

    /// Pictures or sound advance (SVM-73).
    public var isPlaying: Bool { hasStarted && !isHeld && supply == .flowing }

    // MARK: From phase to phase

    mutating func becomeReady() { if progress == .opening { progress = .ready } }

    /// A picture of the session was presented.
    mutating func pictureShown() {
        switch progress {
        case .opening, .ready: progress = .shown
        case .shown: break
        case .started: progress = .started(hasPicture: true)
        }
    }

    mutating func start() { progress = .started(hasPicture: hasPicture) }

    mutating func setBuffering(_ buffers: Bool) { supply = buffers ? .buffering : .flowing }

    mutating func end() { supply = .ended }

    /// A session that is paused does not follow live: live goes on without it.
    mutating func setPaused(_ isPaused: Bool) {
        guard isPaused else {
            holds.remove(.paused)
            return
        }
        holds.insert(.paused)
        if place == .atLive { place = .elsewhere }
    }

    mutating func setSuspended(_ isSuspended: Bool) {
        if isSuspended { holds.insert(.suspended) } else { holds.remove(.suspended) }
    }

    /// There is something to play again for a session that had ended.
    mutating func seekBegan(_ seek: PendingSeek) {
        place = .seeking(seek)
        epoch = seek.epoch
        if supply == .ended { supply = .flowing }
    }

    mutating func seekFound(_ position: PlaybackPosition) {
        guard case .seeking(var seek) = place else { return }
        seek.found = position
        place = .seeking(seek)
    }

    /// - Parameter isAtLive: the play-head is at live and moves on with it.
    mutating func seekEnded(isAtLive: Bool) { place = isAtLive ? .atLive : .elsewhere }
}
