// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides whether a change of settings is confirmed: when everything that worked before has worked for a while with it.
/// If that does not come about in time, the change is to be taken back.
public struct ConfirmationWatch: Equatable, Sendable {
    public enum Verdict: Equatable, Sendable {
        case wait
        case confirm
        /// What worked before the change and does not work.
        case takeBack(missing: Set<WorkingCondition>)
    }

    /// The durations of the watch.
    public struct Times: Equatable, Sendable {
        /// From the change to its end, one way or the other.
        public var within: Nanoseconds
        /// How long everything has to work without a break.
        public var steady: Nanoseconds

        public init(within: Nanoseconds, steady: Nanoseconds) {
            self.within = within
            self.steady = steady
        }
    }

    /// What worked before the change.
    public let expected: Set<WorkingCondition>
    public let times: Times
    /// The instant of the first observation; nil before it.
    public private(set) var began: Monotonic?
    /// The instant from which everything has worked; nil while something is missing.
    private var steadySince: Monotonic?

    public init(_ expected: Set<WorkingCondition>, _ times: Times) {
        self.expected = expected
        self.times = times
    }

    /// - Parameters:
    ///   - working: what works now, with the change.
    ///   - now: not before the observation before.
    public mutating func observe(_ working: Set<WorkingCondition>, at now: Monotonic) -> Verdict {
        let began = began ?? now
        self.began = began
        let missing = expected.subtracting(working)
        guard missing.isEmpty else {
            steadySince = nil
            return now - began >= times.within ? .takeBack(missing: missing) : .wait
        }
        let since = steadySince ?? now
        steadySince = since
        // A time to be steady that is longer than the time to confirm ends with that.
        return now - since >= min(times.steady, times.within) ? .confirm : .wait
    }

    /// The time until the change is taken back, if nothing confirms it.
    public func remaining(at now: Monotonic) -> Nanoseconds {
        guard let began else { return times.within }
        return max(.zero, times.within - (now - began))
    }
}

extension Set<WorkingCondition> {
    /// What is missing of these, in words: `no picture, no announcement`.
    public var absences: String {
        WorkingCondition.allCases.filter(contains).map(\.absence).joined(separator: ", ")
    }
}
