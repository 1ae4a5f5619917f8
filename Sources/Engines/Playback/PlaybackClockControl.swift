// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The arithmetic of the playback clock: playing, pausing, rewinding, stretching. A value; see `SteeredPlaybackClock`.
public struct PlaybackClockControl: Sendable {
    /// The largest change of speed, parts per billion: 0.5 %, which is inaudible. The delay grows by it at a start.
    public static let fastest = 5_000_000
    /// The delay is changed in steps of this size, so that the other threads are not woken for less.
    private static let step = Nanoseconds.microseconds(20)
    /// The longest time for which the delay is changed at once.
    private static let longestElapsed = Nanoseconds.seconds(3_600)

    /// The play-out delay D: the time from media time to presentation at live.
    public private(set) var playoutDelay: Nanoseconds
    /// Whether nothing can be played before D, because it has not come by then; a file has no such limit.
    private let isLive: Bool
    private(set) var state: PlaybackClock.State
    /// Counts the moves of the clock. Lateness that was measured before a move does not count.
    private(set) var moves = 0
    /// When the delay was last changed by `advance`; nil while it is where it is to be.
    private var advancedAt: Monotonic?
    /// How fast the delay grows while the session follows another clock, parts per billion; nil if it follows none.
    private var steering: Int?

    init(playoutDelay: Nanoseconds, isLive: Bool = true) {
        self.playoutDelay = playoutDelay
        self.isLive = isLive
        state = PlaybackClock.State(delay: playoutDelay)
    }

    var isPaused: Bool { state.isPaused }

    /// The instant of the pause; nil while playing.
    private(set) var pausedAt: Monotonic? {
        get { state.pausedAt }
        set { state.pausedAt = newValue }
    }

    /// The instant to which the presentation belongs: now, or the instant of the pause.
    func instant(at now: Monotonic) -> Monotonic { pausedAt ?? now }

    /// The media time that is presented.
    public func mediaTime(at now: Monotonic) -> Monotonic { instant(at: now) - state.delay }

    /// The distance behind live. Never negative: a clock that has not stretched to D yet is at live.
    public func behindLive(at now: Monotonic) -> Nanoseconds {
        max(.zero, now - mediaTime(at: now) - playoutDelay)
    }

    /// The furthest possible rewind if media from `oldest` on are kept.
    public func available(from oldest: Monotonic, at now: Monotonic) -> Nanoseconds {
        max(.zero, now - playoutDelay - oldest)
    }

    mutating func pause(at now: Monotonic) {
        guard pausedAt == nil else { return }
        moves += 1
        pausedAt = now
    }

    /// Continues at the position of the pause.
    mutating func play(at now: Monotonic) {
        guard let since = pausedAt else { return }
        moves += 1
        pausedAt = nil
        state.delay = state.delay + (now - since)
    }

    /// Moves to this distance behind live, whether paused or not.
    mutating func seek(behindLive offset: Nanoseconds, epoch: Int, at now: Monotonic) {
        moves += 1
        if pausedAt != nil { pausedAt = now }
        state.delay = playoutDelay + offset
        state.epoch = epoch
        advancedAt = steering.map { _ in now }
    }

    /// Anchors this media time to the current instant.
    mutating func anchor(_ time: Monotonic, at now: Monotonic) {
        moves += 1
        if pausedAt != nil { pausedAt = now }
        state.delay = now - time
    }

    mutating func begin(epoch: Int) {
        moves += 1
        state.epoch = epoch
    }

    /// Starts with a delay smaller than D, and grows to D.
    mutating func startStretching(from delay: Nanoseconds, at now: Monotonic) {
        guard delay < playoutDelay else { return }
        moves += 1
        state.delay = delay
        advancedAt = now
    }

    /// Makes D longer. What plays at live grows to it as it does after a start; nothing is interrupted.
    mutating func lengthen(to delay: Nanoseconds, at now: Monotonic) {
        guard delay > playoutDelay else { return }
        // It grows from now on, not from when another clock was last followed.
        _ = advance(to: now, atLeastBy: Nanoseconds(1))
        if !isShort { advancedAt = now }
        playoutDelay = delay
    }

    /// Presents what comes so much later: negative spans count as zero.
    mutating func putOff(by span: Nanoseconds, at now: Monotonic) {
        _ = advance(to: now, atLeastBy: Nanoseconds(1))
        moves += 1
        state.steps += 1
        state.delay = state.delay + max(.zero, span)
    }

    /// At D nothing can be played faster.
    private var possibleRate: Int? {
        steering.map { isLive && $0 < 0 && state.delay <= playoutDelay ? 0 : $0 }
    }

    /// Plays slower (positive) or faster from now on, to follow another clock.
    /// - Parameter rate: growth of the delay, parts per billion, limited to `fastest` either way; nil follows no other
    ///   clock any more, and the delay stays where it is.
    mutating func steer(by rate: Int?, at now: Monotonic) {
        // However little it is: rates that change often would lose all of it.
        _ = advance(to: now, atLeastBy: Nanoseconds(1))
        steering = rate.map { max(-Self.fastest, min(Self.fastest, $0)) }
        state.rate = possibleRate
        advancedAt = steering != nil || isShort ? now : nil
    }

    private var isShort: Bool { isLive && state.delay < playoutDelay }

    /// Changes the delay by as much as is due, if that is not too little.
    /// - Returns: whether `state` has changed.
    mutating func advance(to now: Monotonic) -> Bool { advance(to: now, atLeastBy: Self.step) }

    private mutating func advance(to now: Monotonic, atLeastBy least: Nanoseconds) -> Bool {
        guard let before = advancedAt else { return false }
        guard pausedAt == nil else {
            if steering != nil { advancedAt = now }
            return false
        }
        // What is below D grows to it, whoever steers: what comes later than its delay is missing.
        let isShort = isShort
        guard isShort || steering != nil else {  // a pause took longer
            advancedAt = nil
            return false
        }
        let rate = Int64(isShort ? Self.fastest : steering ?? 0)
        guard rate != 0 else {
            advancedAt = now
            return false
        }
        // A loop that stood for longer goes on by so much.
        let elapsed = min(now - before, Self.longestElapsed)
        let step = Nanoseconds(elapsed.count / 1_000 * rate / 1_000_000)
        guard step.magnitude >= least else { return false }
        advancedAt = now
        let delay = state.delay + step
        state.delay = isShort ? min(playoutDelay, delay) : isLive ? max(playoutDelay, delay) : delay
        state.rate = possibleRate
        if steering == nil, state.delay == playoutDelay { advancedAt = nil }
        return true
    }
}
