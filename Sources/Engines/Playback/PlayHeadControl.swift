// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The arithmetic of a play-head: playing, pausing, rewinding, stretching. A value; see `SteeredPlayHead`.
public struct PlayHeadControl: Sendable {
    /// The play-head nears its place by this part of elapsed time: 0.5 %.
    private static let stretchDivisor: Int64 = 200

    /// The play-out delay D: the time from media time to presentation at live.
    public let playoutDelay: Nanoseconds
    private(set) var state: PlayHead.State
    /// Counts the changes after which lateness of before says nothing.
    private(set) var moves = 0
    private var pausedAt: Monotonic?
    private var stretchedAt: Monotonic?

    init(playoutDelay: Nanoseconds) {
        self.playoutDelay = playoutDelay
        state = PlayHead.State(delay: playoutDelay)
    }

    var isPaused: Bool { state.isPaused }

    /// The instant of which the presentation is: now, or when it was paused.
    func instant(at now: Monotonic) -> Monotonic { pausedAt ?? now }

    /// The media time that is presented.
    public func mediaTime(at now: Monotonic) -> Monotonic { instant(at: now) - state.delay }

    /// Never negative: a play-head that has not stretched to D yet is at live.
    public func behindLive(at now: Monotonic) -> Nanoseconds {
        max(.zero, now - mediaTime(at: now) - playoutDelay)
    }

    /// How far a rewind can go when media from `oldest` on are kept.
    public func available(from oldest: Monotonic, at now: Monotonic) -> Nanoseconds {
        max(.zero, now - playoutDelay - oldest)
    }

    mutating func pause(at now: Monotonic) {
        guard pausedAt == nil else { return }
        moves += 1
        pausedAt = now
        state.isPaused = true
    }

    /// Goes on with what was to come when it was paused.
    mutating func play(at now: Monotonic) {
        guard let since = pausedAt else { return }
        moves += 1
        pausedAt = nil
        state.isPaused = false
        state.delay = state.delay + (now - since)
    }

    /// From now on so far behind live, paused or not.
    mutating func seek(behindLive offset: Nanoseconds, epoch: Int, at now: Monotonic) {
        moves += 1
        if pausedAt != nil { pausedAt = now }
        state.delay = playoutDelay + offset
        state.epoch = epoch
        stretchedAt = nil
    }

    /// What has this media time is due now.
    mutating func anchor(_ time: Monotonic, at now: Monotonic) {
        moves += 1
        if pausedAt != nil { pausedAt = now }
        state.delay = now - time
    }

    mutating func begin(epoch: Int) {
        moves += 1
        state.epoch = epoch
    }

    /// Starts with a smaller delay than D and grows to it.
    mutating func startStretching(from delay: Nanoseconds, at now: Monotonic) {
        guard delay < playoutDelay else { return }
        moves += 1
        state.delay = delay
        stretchedAt = now
    }

    /// - Returns: whether `state` is another one now.
    mutating func stretch(at now: Monotonic) -> Bool {
        guard let before = stretchedAt, pausedAt == nil else { return false }
        let step = (now - before) / Self.stretchDivisor
        guard step >= .microseconds(100) else { return false }
        stretchedAt = now
        state.delay = min(playoutDelay, state.delay + step)
        if state.delay == playoutDelay { stretchedAt = nil }
        return true
    }
}
