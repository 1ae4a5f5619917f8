// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a box asks a server for its order, and what becomes of the answer. It opens no connection and reads no clock.
///
/// The server answers when it has another order than that of the entity tag (RFC 9110 §8.8.3) which is sent, or when the
/// wait is over. One that does not wait, as any server of files, is asked once in that time.
public struct OrderPull: Sendable {
    /// The least time from one question to the next, whatever the server answers.
    static let leastPause = Nanoseconds.seconds(1)
    /// Of pauses after failures. Each is twice the last, within a quarter by chance, so that boxes which lost their server
    /// together do not come back together.
    static let firstPause = Nanoseconds.seconds(2)
    static let longestPause = Nanoseconds.seconds(300)
    /// How soon an order is given again that nobody had time for.
    static let busyPause = Nanoseconds.seconds(1)
    /// What a server may ask for at most with `Retry-After`.
    static let longestRetry = Nanoseconds.seconds(3_600)
    private static let longestTag = 256

    /// What a server said, or why it said nothing.
    public enum Answer: Equatable, Sendable {
        case document([UInt8], tag: String?)
        /// It has no other order (304), or none at all (204, 404).
        case nothing(tag: String?)
        /// - Parameter retryAfter: seconds that the server asks for; nil if it does not.
        case failure(String, retryAfter: Int64? = nil)
    }

    public enum Action: Equatable, Sendable {
        /// Ask for another order than that of this tag; nil if none was judged yet.
        case ask(tag: String?)
        /// Give this envelope to whoever judges orders, and say what became of it.
        case give([UInt8])
    }

    private enum State: Equatable {
        case resting(until: Monotonic)
        case asking
        /// The order is judged, or is to be given again at an instant.
        case judging([UInt8], tag: String, again: Monotonic?)
    }

    /// How long a server may let a question wait.
    public var wait: Nanoseconds
    /// The tag of the order that was judged last. A server does not answer with it again.
    public private(set) var tag: String?
    /// Why the last question failed; nil if it did not.
    public private(set) var problem: String?
    private var state: State
    private var asked: Monotonic
    private var failures = 0

    public init(wait: Nanoseconds, at now: Monotonic) {
        self.wait = wait
        asked = now
        state = .resting(until: now)
    }

    /// When `tick` has something to do; nil while an answer is awaited.
    public var nextTick: Monotonic? {
        switch state {
        case .resting(let instant): instant
        case .asking: nil
        case .judging(_, _, let again): again
        }
    }

    public mutating func tick(at now: Monotonic) -> Action? {
        switch state {
        case .resting(let until) where now >= until:
            state = .asking
            asked = now
            return .ask(tag: tag)
        case .judging(let octets, let tag, let again?) where now >= again:
            state = .judging(octets, tag: tag, again: nil)
            return .give(octets)
        default: return nil
        }
    }

    public mutating func answered(
        _ answer: Answer, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) -> Action? {
        guard state == .asking else { return nil }
        switch answer {
        case .document(let octets, let tag?) where (1...Self.longestTag).contains(tag.utf8.count):
            succeed()
            guard tag != self.tag else {
                rest(at: now)
                return nil
            }
            state = .judging(octets, tag: tag, again: nil)
            return .give(octets)
        case .document:
            fail("the answer has no ETag; expected one for each order", nil, at: now, &random)
        case .nothing:
            succeed()
            rest(at: now)
        case .failure(let why, let retryAfter): fail(why, retryAfter, at: now, &random)
        }
        return nil
    }

    /// The order that was given was taken or refused, or there was no time for it.
    public mutating func judged(isBusy: Bool, at now: Monotonic) {
        guard case .judging(let octets, let tag, _) = state else { return }
        guard !isBusy else { return state = .judging(octets, tag: tag, again: now + Self.busyPause) }
        self.tag = tag
        state = .resting(until: max(now, asked + Self.leastPause))
    }

    private mutating func succeed() { (failures, problem) = (0, nil) }

    /// A server that answered at once does not wait: it is asked again when it would have answered.
    private mutating func rest(at now: Monotonic) {
        let hasWaited = now - asked >= wait / 2
        state = .resting(until: max(now, asked + (hasWaited ? Self.leastPause : max(wait, Self.leastPause))))
    }

    private mutating func fail(
        _ why: String, _ retryAfter: Int64?, at now: Monotonic, _ random: inout some RandomNumberGenerator
    ) {
        problem = why
        let usual = min(Self.longestPause, Self.firstPause * (Int64(1) << min(failures, 16)))
        failures += 1
        let pause = usual * Int64.random(in: 750...1_250, using: &random) / 1_000
        let wanted = Nanoseconds.seconds(max(0, min(retryAfter ?? 0, Self.longestRetry.count / 1_000_000_000)))
        state = .resting(until: now + max(pause, wanted))
    }
}
