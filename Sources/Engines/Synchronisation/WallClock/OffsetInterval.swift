// SPDX-License-Identifier: Apache-2.0
import Time

/// Contains the true offset, wall clock minus local clock in nanoseconds, at one local instant (Marzullo's intervals).
struct OffsetInterval: Hashable, Sendable {
    var lower: Int64
    var upper: Int64
    var instant: Monotonic

    init(lower: Int64, upper: Int64, at instant: Monotonic) {
        self.lower = lower
        self.upper = upper
        self.instant = instant
    }

    /// The interval at another instant, earlier or later: it has grown by what the clocks may have gone wrong.
    func moved(to other: Monotonic, error: FrequencyError) -> OffsetInterval {
        let growth = error.growth(over: other.elapsed(since: instant))
        return OffsetInterval(lower: lower.clampedSum(-growth), upper: upper.clampedSum(growth), at: other)
    }

    /// What two intervals of one instant have in common; nil if they contradict each other.
    func intersection(_ other: OffsetInterval) -> OffsetInterval? {
        let (lower, upper) = (max(lower, other.lower), min(upper, other.upper))
        return lower <= upper ? OffsetInterval(lower: lower, upper: upper, at: instant) : nil
    }

    func contains(_ other: OffsetInterval) -> Bool { lower <= other.lower && other.upper <= upper }
}

extension Monotonic {
    /// The difference, limited to 146 years of either sign.
    func elapsed(since other: Monotonic) -> Nanoseconds {
        let (difference, overflows) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        let limit: Int64 = 1 << 62
        guard !overflows else { return Nanoseconds(nanoseconds < other.nanoseconds ? -limit : limit) }
        return Nanoseconds(max(-limit, min(limit, difference)))
    }
}

extension Int64 {
    func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// This many nanoseconds at `rate` nanoseconds a second, rounded down. `rate` is less than 10⁹.
    func nanoseconds(atRate rate: Int64) -> Int64 {
        var (seconds, rest) = quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        var (part, left) = (rest * rate).quotientAndRemainder(dividingBy: 1_000_000_000)
        if left < 0 { (part, left) = (part - 1, 0) }
        return seconds &* rate &+ part
    }
}
