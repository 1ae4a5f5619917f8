// SPDX-License-Identifier: Apache-2.0

/// Running totals as they were at each of the last whole seconds, from which the counts within any of those seconds
/// follow. All memory is taken in `init`.
struct SecondsWindow<Totals> {
    private var ring: [Totals]
    private var newest = 0

    /// - Parameters:
    ///   - seconds: seconds that the window reaches back.
    ///   - start: totals of all seconds before the first.
    init(seconds: Int, start: Totals) {
        ring = [Totals](repeating: start, count: max(1, seconds) + 1)
    }

    /// To be called when a second is over.
    mutating func append(_ totals: Totals) {
        newest = newest + 1 == ring.count ? 0 : newest + 1
        ring[newest] = totals
    }

    /// The totals as of so many seconds before the newest; the oldest kept if that is further back.
    func totals(before seconds: Int) -> Totals {
        let back = newest - min(max(0, seconds), ring.count - 1)
        return ring[back < 0 ? back + ring.count : back]
    }
}
