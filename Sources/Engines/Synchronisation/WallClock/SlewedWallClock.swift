// SPDX-License-Identifier: Apache-2.0
import Time

/// The wall clock as it is given out: it steps to acquire and then slews. It is continuous and runs forwards, and its
/// rate differs from the estimated one by at most 500 ppm, however the estimate moves; only an error above 10 ms is
/// stepped over.
public struct SlewedWallClock: Sendable {
    /// Nanoseconds a second. A sound that is held to the clock can follow inaudibly.
    public static let fastestSlew: Int64 = 500_000
    public static let stepsAbove = Nanoseconds.milliseconds(10)

    public private(set) var estimate: WallClockEstimate
    /// The clock is `offset` before the local clock at `start`, gains `rate` nanoseconds a second until `end`, and
    /// from then on what the estimate drifts.
    private var start: Monotonic
    private var offset: Int64
    private var rate: Int64
    private var end: Monotonic

    public init(steppingTo estimate: WallClockEstimate, at now: Monotonic) {
        self.estimate = estimate
        (start, end, offset, rate) = (now, now, estimate.offset(at: now), estimate.drift)
    }

    /// Takes a new estimate. Call it with instants that do not decrease; an earlier one counts as the last.
    /// - Returns: by how much the clock has stepped; nil if it slews.
    public mutating func follow(_ estimate: WallClockEstimate, at now: Monotonic) -> Nanoseconds? {
        let now = max(now, start)
        let current = offset(at: now)
        let (error, overflows) = estimate.offset(at: now).subtractingReportingOverflow(current)
        guard !overflows, error.magnitude <= Self.stepsAbove.count.magnitude else {
            self = SlewedWallClock(steppingTo: estimate, at: now)
            return Nanoseconds(overflows ? (current < 0 ? .max : .min) : error)
        }
        // The error is gone after a second, or later if the limit holds it back.
        let correction = max(-Self.fastestSlew, min(Self.fastestSlew, error))
        let span = correction == 0 ? 0 : error * 1_000_000_000 / correction
        self.estimate = estimate
        (start, end, offset, rate) = (now, now + Nanoseconds(span), current, estimate.drift + correction)
        return nil
    }

    /// Wall clock minus local clock, nanoseconds.
    func offset(at local: Monotonic) -> Int64 {
        let slewing = min(local, end).elapsed(since: start).count.nanoseconds(atRate: rate)
        let rest = max(local, end).elapsed(since: end).count.nanoseconds(atRate: estimate.drift)
        return offset.clampedSum(slewing).clampedSum(rest)
    }

    public func wallClock(at local: Monotonic) -> WallClockInstant {
        WallClockInstant(nanoseconds: local.nanoseconds.clampedSum(offset(at: local)))
    }

    /// The greatest error of `wallClock(at:)`.
    public func dispersion(at local: Monotonic) -> Nanoseconds {
        estimate.dispersion(ofOffset: offset(at: local), at: local)
    }
}
