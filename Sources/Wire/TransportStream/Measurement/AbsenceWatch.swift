// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// A watch for something that must recur within a time. Each absence is reported once, however long it lasts.
@usableFromInline
struct AbsenceWatch: Sendable {
    let indicator: StreamIndicator
    let limit: Nanoseconds
    /// When it came last, or when the wait for it began; nil while it is not expected.
    @usableFromInline private(set) var last: Monotonic?
    /// Whether it is too late and has not come yet.
    private(set) var isOverdue = false

    init(_ indicator: StreamIndicator, within limit: Nanoseconds) {
        self.indicator = indicator
        self.limit = limit
    }

    /// Latest instant at which it is in time; nil while it is not expected or is already overdue.
    var deadline: Monotonic? { isOverdue ? nil : last.map { $0 + limit } }

    /// Begins to wait at `start`; does nothing if it waits already.
    mutating func expect(from start: Monotonic) {
        if last == nil { last = start }
    }

    mutating func forget() {
        last = nil
        isOverdue = false
    }

    /// Restarts a wait at `start`, if there is one; earlier arrivals no longer count.
    mutating func restart(at start: Monotonic) {
        guard last != nil else { return }
        last = start
        isOverdue = false
    }

    /// Handles the usual case: it came while it was expected, and not late.
    /// - Returns: whether this was the case; if false, nothing has changed.
    mutating func cameInTime(at arrival: Monotonic) -> Bool {
        guard !isOverdue, let before = last, arrival - before <= limit else { return false }
        if arrival > before { last = arrival }
        return true
    }

    /// Handles any arrival.
    /// - Returns: whether it came too late and its absence has not been reported yet.
    mutating func came(at arrival: Monotonic) -> Bool {
        let isLate = !isOverdue && last.map { arrival - $0 > limit } ?? false
        last = max(arrival, last ?? arrival)
        isOverdue = false
        return isLate
    }

    /// - Returns: whether it has become overdue at `now`.
    mutating func expire(at now: Monotonic) -> Bool {
        guard let deadline, now > deadline else { return false }
        isOverdue = true
        return true
    }
}
