// SPDX-License-Identifier: Apache-2.0

/// What running totals were at each of the last whole seconds, so that what came within any of them can be told. All
/// memory is taken in `init`.
struct SecondsWindow<Totals> {
    private var ring: [Totals]
    private var newest = 0

    /// - Parameters:
    ///   - seconds: how far back it reaches.
    ///   - start: the totals of all the time before.
    init(seconds: Int, start: Totals) {
        ring = [Totals](repeating: start, count: max(1, seconds) + 1)
    }

    /// A second is over.
    mutating func append(_ totals: Totals) {
        newest = newest + 1 == ring.count ? 0 : newest + 1
        ring[newest] = totals
    }

    /// As of so many seconds before the newest.
    func totals(before seconds: Int) -> Totals {
        let back = newest - min(max(0, seconds), ring.count - 1)
        return ring[back < 0 ? back + ring.count : back]
    }
}
