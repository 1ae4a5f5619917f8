// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The arithmetic of the playback clock: playing, pausing, rewinding, stretching. A value; see `SteeredPlaybackClock`.
public struct PlaybackClockControl: Sendable {
    /// While stretching, the delay grows by this fraction of elapsed time: 0.5 %.
    private static let stretchDivisor: Int64 = 200

    /// The play-out delay D: the time from media time to presentation at live.
    public private(set) var playoutDelay: Nanoseconds
    private(set) var state: PlaybackClock.State
    /// Counts the moves of the clock. Lateness that was measured before a move does not count.
    private(set) var moves = 0
    private var pausedAt: Monotonic?
    private var stretchedAt: Monotonic?

    init(playoutDelay: Nanoseconds) {
        self.playoutDelay = playoutDelay
        state = PlaybackClock.State(delay: playoutDelay)
    }

    var isPaused: Bool { state.isPaused }

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
        state.isPaused = true
    }

    /// Continues at the position of the pause.
    mutating func play(at now: Monotonic) {
        guard let since = pausedAt else { return }
        moves += 1
        pausedAt = nil
        state.isPaused = false
        state.delay = state.delay + (now - since)
    }

    /// Moves to this distance behind live, whether paused or not.
    mutating func seek(behindLive offset: Nanoseconds, epoch: Int, at now: Monotonic) {
        moves += 1
        if pausedAt != nil { pausedAt = now }
        state.delay = playoutDelay + offset
        state.epoch = epoch
        stretchedAt = nil
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
        stretchedAt = now
    }

    /// Makes D longer. What plays at live grows to it as it does after a start; nothing is interrupted.
    mutating func lengthen(to delay: Nanoseconds, at now: Monotonic) {
        guard delay > playoutDelay else { return }
        playoutDelay = delay
        if state.delay < delay, stretchedAt == nil { stretchedAt = now }
    }

    /// - Returns: whether `state` has changed.
    mutating func stretch(at now: Monotonic) -> Bool {
        guard let before = stretchedAt, pausedAt == nil else { return false }
        guard state.delay < playoutDelay else {  // a pause took longer
            stretchedAt = nil
            return false
        }
        let step = (now - before) / Self.stretchDivisor
        guard step >= .microseconds(100) else { return false }
        stretchedAt = now
        state.delay = min(playoutDelay, state.delay + step)
        if state.delay == playoutDelay { stretchedAt = nil }
        return true
    }
}
