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
    /// Nanoseconds: after a refusal the timeline has moved if the error has changed by this, or by a quarter.
    private static let leastMove = 100e6

    /// Whether the session has not been within the dead band yet, nor has jumped there.
    var isAcquiring = false
    /// When the timeline came again that a session was held to until it was lost; nil if this is another.
    var handedOver: Monotonic?
    /// Whether an error is being corrected by rate.
    var isAdapting = false
    /// Nil unless one was asked for and not answered yet.
    private(set) var jump: Jump?
    /// Before then no other jump is asked for; nil if none was.
    private var jumpsNotBefore: Monotonic?
    /// How long the pause after the next jump is. It doubles while jumps do not bring the session into the dead band.
    private var pause = Self.shortestPause
    /// The error at which the session could not jump; nil if it could the last time.
    private var refusal: Double?
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

    func mayJump(by error: Double, at now: Monotonic) -> Bool {
        if let refusal, (error - refusal).magnitude > max(Self.leastMove, refusal.magnitude / 4) { return true }
        return jumpsNotBefore.map { $0 <= now } ?? true
    }

    mutating func jump(by span: Nanoseconds, at now: Monotonic) {
        jump = Jump(span: span, asked: now)
        isAdapting = false
        jumpsNotBefore = now + pause
        pause = min(Self.longestPause, pause * 2)
    }

    mutating func jumpLess(by span: Nanoseconds, at now: Monotonic) {
        jump = Jump(span: span, asked: now, isLess: true)
    }

    mutating func refused(_ span: Nanoseconds) { refusal = Double(span.count) }

    mutating func endJump() {
        jump = nil
        isAcquiring = false
        measured = nil
        refusal = nil
    }

    /// Jumps may be needed again, whatever earlier ones did. One that was refused would be again, until the error shows
    /// that the timeline has moved.
    mutating func allowJumps() {
        guard refusal == nil else { return }
        (jumpsNotBefore, pause, considered) = (nil, Self.shortestPause, nil)
    }

    /// The session is where it shall be.
    mutating func succeed() {
        (isAcquiring, isAdapting) = (false, false)
        (pause, refusal) = (Self.shortestPause, nil)
    }
}
