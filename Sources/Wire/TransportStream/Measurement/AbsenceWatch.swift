// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Something that has to come again within a time. Each time that it does not is told once, however long it lasts.
@usableFromInline
struct AbsenceWatch: Sendable {
    let indicator: StreamIndicator
    let limit: Nanoseconds
    /// When it came last, or was expected first; nil while nobody waits for it.
    @usableFromInline private(set) var last: Monotonic?
    /// It is too late and has not come yet.
    private(set) var isOverdue = false

    init(_ indicator: StreamIndicator, within limit: Nanoseconds) {
        self.indicator = indicator
        self.limit = limit
    }

    /// From this instant on it has to come: nil while it need not, or is too late already.
    var deadline: Monotonic? { isOverdue ? nil : last.map { $0 + limit } }

    /// Nothing new for a watch that waits already.
    mutating func expect(from start: Monotonic) {
        if last == nil { last = start }
    }

    mutating func forget() {
        last = nil
        isOverdue = false
    }

    /// Waits anew from `start`, if it waits at all: what was before does not count.
    mutating func restart(at start: Monotonic) {
        guard last != nil else { return }
        last = start
        isOverdue = false
    }

    /// It came: the usual case, that it was waited for and is not late, which leaves nothing to do.
    /// - Returns: whether it is that; if not, nothing has changed.
    mutating func cameInTime(at arrival: Monotonic) -> Bool {
        guard !isOverdue, let before = last, arrival - before <= limit else { return false }
        if arrival > before { last = arrival }
        return true
    }

    /// - Returns: whether it came too late and nobody has said so yet.
    mutating func came(at arrival: Monotonic) -> Bool {
        let isLate = !isOverdue && last.map { arrival - $0 > limit } ?? false
        last = max(arrival, last ?? arrival)
        isOverdue = false
        return isLate
    }

    /// - Returns: whether it is too late as of now.
    mutating func expire(at now: Monotonic) -> Bool {
        guard let deadline, now > deadline else { return false }
        isOverdue = true
        return true
    }
}
