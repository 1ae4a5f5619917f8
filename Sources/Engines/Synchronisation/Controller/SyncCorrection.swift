// SPDX-License-Identifier: Apache-2.0
import Time

/// The correction of a session that is under way.
struct SyncCorrection: Sendable {
    struct Jump: Hashable, Sendable {
        let span: Nanoseconds
        let asked: Monotonic
        /// Whether the session cannot reach more.
        var isLess = false
    }

    /// A session that does not answer for so long has jumped or has not; measurements will tell.
    static let jumpTimeout = Nanoseconds.seconds(5)
    /// A correction by rate ends if nothing was measured for so long.
    static let silence = Nanoseconds.seconds(1)
    private static let shortestPause = Nanoseconds.seconds(1)
    private static let longestPause = Nanoseconds.seconds(32)

    /// Whether the session has not been within the dead band yet, nor has jumped there.
    var isAcquiring = false
    /// Whether an error is being corrected by rate.
    var isAdapting = false
    /// Nil unless one was asked for and not answered yet.
    private(set) var jump: Jump?
    /// Before then no other jump is asked for; nil if none was.
    private var jumpsNotBefore: Monotonic?
    /// How long the pause after the next jump is. It doubles while jumps do not bring the session into the dead band.
    private var pause = Self.shortestPause
    /// When a jump is considered next, if the session follows by jumps alone; nil: at the next measurement.
    var considered: Monotonic?
    /// Nil before the first measurement.
    var measured: Monotonic?
    /// Of the last measurement, nanoseconds.
    var bound = 0.0
    /// Last measurement as it was, nanoseconds.
    var latest = 0.0

    var deadlines: [Monotonic] {
        let silent = isAdapting ? measured.map { $0 + Self.silence } : nil
        return [silent, jump.map { $0.asked + Self.jumpTimeout }].compactMap { $0 }
    }

    func mayJump(at now: Monotonic) -> Bool { jumpsNotBefore.map { $0 <= now } ?? true }

    mutating func jump(by span: Nanoseconds, at now: Monotonic) {
        jump = Jump(span: span, asked: now)
        isAdapting = false
        jumpsNotBefore = now + pause
        pause = min(Self.longestPause, pause * 2)
    }

    mutating func jumpLess(by span: Nanoseconds, at now: Monotonic) {
        jump = Jump(span: span, asked: now, isLess: true)
    }

    mutating func waitBeforeJump(until instant: Monotonic) { jumpsNotBefore = instant }

    mutating func endJump() {
        jump = nil
        isAcquiring = false
        measured = nil
    }

    /// Jumps may be needed again, whatever earlier ones did.
    mutating func allowJumps() { (jumpsNotBefore, pause, considered) = (nil, Self.shortestPause, nil) }

    /// The session is where it shall be.
    mutating func succeed() {
        (isAcquiring, isAdapting) = (false, false)
        pause = Self.shortestPause
    }
}
