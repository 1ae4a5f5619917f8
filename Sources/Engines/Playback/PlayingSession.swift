// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// The controller's state of the open session. A session's number is never used again (PLAY-13, 14).
public struct PlayingSession: Hashable, Sendable {
    /// How far the session has come. It never goes back.
    enum Progress: Hashable, Sendable {
        /// What it plays is not known yet.
        case opening
        /// Its streams are known. Nothing has been presented.
        case ready
        /// Its first picture is on the screen, but the session is held: `play` has not been reported.
        case shown
        /// `play` has been reported. Without a picture, only its sound is heard.
        case started(hasPicture: Bool)
    }

    /// Whether there is something to present.
    enum Supply: Hashable, Sendable {
        case flowing
        /// What should be presented has not come.
        case buffering
        /// The source has been played to its end. The last picture stays.
        case ended
    }

    /// Why the playback clock stands still. It runs when the set is empty.
    struct Holds: OptionSet, Hashable, Sendable {
        let rawValue: Int

        /// A command paused it.
        static let paused = Holds(rawValue: 1)
        /// The region is hidden, and background playback is not allowed.
        static let suspended = Holds(rawValue: 2)
    }

    /// Where the viewer has moved the playback clock.
    enum Place: Hashable, Sendable {
        /// The session was never paused or sought away from live, or it has returned to live.
        case atLive
        case elsewhere
        case seeking(PendingSeek)
    }

    struct PendingSeek: Hashable, Sendable {
        let ticket: Int
        let epoch: Int
        let target: Nanoseconds
        let deadline: Monotonic
        /// The position that the session found, nearest to the target; nil until it is reported.
        var found: PlaybackPosition?
    }

    public let id: Int
    public let video: Video
    public let source: SessionSource
    /// The one of the video's sources that was chosen; nil for a channel that was tuned.
    public internal(set) var origin: Source?
    /// Whether the session plays without a command, because another one failed or ended.
    public let isFallback: Bool
    public let opened: Monotonic
    /// The state that was reported last.
    public internal(set) var state = PlayerState.open
    public internal(set) var streams: [StreamInfo] = []
    /// The programs that the channel's transport stream lists; empty while they are not known, and for other sources.
    public internal(set) var programs: [ListedProgram] = []
    public internal(set) var choice: StreamChoice
    private(set) var progress = Progress.opening
    private(set) var supply = Supply.flowing
    private(set) var holds: Holds
    private(set) var place = Place.atLive
    /// Number of the newest seek; 0 before the first.
    var epoch = 0
    /// The position of the last progress event. Before the first event it is -1 ns, so that a cue point at 0 is passed.
    var toldPosition = Nanoseconds(-1)
    /// The channel as the line-up has it by now, with sources that are not received yet; nil if it has none. It is opened
    /// when the sources that are received fall silent.
    var successor: Channel?
    /// nil while it is not known, and for a live session.
    var duration: Nanoseconds?
    /// The unsupported streams that have been reported.
    public internal(set) var unsupported: Set<String> = []

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

    /// The name of the channel or the video in events.
    public var name: String { video.name }

    // MARK: Reading the phases

    /// Whether a command paused the session. A hidden session may be held without being paused.
    public var isPaused: Bool { holds.contains(.paused) }
    public var isBuffering: Bool { supply == .buffering }
    /// Whether the source has been played to its end. The last picture stays.
    public var hasEnded: Bool { supply == .ended }
    var isSuspended: Bool { holds.contains(.suspended) }
    var isHeld: Bool { !holds.isEmpty }
    public var isReady: Bool { progress != .opening }
    var followsLive: Bool { place == .atLive }

    var hasPicture: Bool {
        switch progress {
        case .opening, .ready: false
        case .shown: true
        case .started(let hasPicture): hasPicture
        }
    }

    /// Whether `play` has been reported.
    public var hasStarted: Bool {
        if case .started = progress { true } else { false }
    }

    /// Whether a seek has not shown its picture yet.
    public var isSeeking: Bool { seek != nil }

    var seek: PendingSeek? {
        if case .seeking(let seek) = place { seek } else { nil }
    }

    /// Whether the played streams have no pictures, so that none is waited for.
    public var isSoundAlone: Bool {
        let played = streams.filter(\.isPlayed)
        return !played.isEmpty && !played.contains { $0.isVideo }
    }

    /// Whether a channel that should show pictures shows none, or no new ones.
    public var lacksPicture: Bool {
        source.channel != nil && !isHeld && !isSoundAlone && (!hasPicture || isBuffering)
    }

    /// Whether the session shows what was asked for: its pictures, or its sound alone, and not its fallback.
    public var showsPicture: Bool { hasStarted && !isFallback && !lacksPicture }

    /// Whether the session continues as soon as its sound is heard.
    public var awaitsSound: Bool {
        isSoundAlone && !isHeld && !hasEnded && (!hasStarted || isBuffering || seek != nil)
    }

    /// Whether pictures or sound advance (SVM-73).
    public var isPlaying: Bool { hasStarted && !isHeld && supply == .flowing }

    /// Whether its playback clock runs, though there may be nothing to present.
    public var isRunning: Bool { hasStarted && !isHeld && !hasEnded }

    // MARK: From phase to phase

    mutating func becomeReady() { if progress == .opening { progress = .ready } }

    /// A picture of the session has been presented.
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

    /// A paused session no longer follows live, because live goes on without it.
    mutating func setPaused(_ isPaused: Bool) {
        guard isPaused else {
            holds.remove(.paused)
            return
        }
        holds.insert(.paused)
        if place == .atLive { place = .elsewhere }
    }

    /// What comes is presented later, and live goes on.
    mutating func putOff() { if place == .atLive { place = .elsewhere } }

    mutating func setSuspended(_ isSuspended: Bool) {
        if isSuspended { holds.insert(.suspended) } else { holds.remove(.suspended) }
    }

    /// A session that had ended plays again.
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

    /// - Parameter isAtLive: whether the playback clock is at live and follows it.
    mutating func seekEnded(isAtLive: Bool) { place = isAtLive ? .atLive : .elsewhere }
}
