// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides when a silent group is joined again: after a first wait, then after twice that wait, and so on up to the
/// longest, until something arrives. A membership can be lost without a sign to the box (a switch port that came up
/// after our reports, an access point that forgot them); only a new report restores it. While datagrams arrive nothing
/// is sent, since that might disturb.
public struct SilenceWatch: Equatable, Sendable {
    public struct Waits: Hashable, Sendable {
        public var first: Nanoseconds
        public var longest: Nanoseconds

        public init(first: Nanoseconds = .seconds(2), longest: Nanoseconds = .seconds(60)) {
            self.first = first
            self.longest = max(first, longest)
        }
    }

    private let waits: Waits
    private var wait: Nanoseconds
    private var deadline: Monotonic
    private var lastArrival: Monotonic?

    public init(joinedAt now: Monotonic, _ waits: Waits = Waits()) {
        self.waits = waits
        wait = waits.first
        deadline = now + waits.first
    }

    /// - Parameter arrival: arrival of the newest datagram; reporting the same one again changes nothing.
    public mutating func heard(at arrival: Monotonic) {
        guard lastArrival.map({ arrival > $0 }) ?? true else { return }
        lastArrival = arrival
        wait = waits.first
        deadline = arrival + waits.first
    }

    /// - Returns: whether to leave and join now. It is true once, then not before a longer wait is over.
    public mutating func isOver(at now: Monotonic) -> Bool {
        guard now >= deadline else { return false }
        wait = min(wait + wait, waits.longest)
        deadline = now + wait
        return true
    }

    /// The group was joined for another reason: the waits begin anew.
    public mutating func joined(at now: Monotonic) {
        wait = waits.first
        deadline = now + waits.first
    }
}
