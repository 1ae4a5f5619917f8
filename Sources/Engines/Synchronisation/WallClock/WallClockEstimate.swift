// SPDX-License-Identifier: Apache-2.0
import Time

/// What is known of a server's wall clock: an estimate for any local instant, with the dispersion in which the truth lies.
public struct WallClockEstimate: Hashable, Sendable {
    /// Local instant of the newest candidate.
    public let instant: Monotonic
    /// Wall clock minus local clock at `instant`, nanoseconds.
    public let offset: Int64
    /// How fast the wall clock gains on the local clock, nanoseconds a second (parts per billion).
    public let drift: Int64
    /// Greatest frequency error of the wall clock by the local clock.
    public let frequencyError: FrequencyError
    let interval: OffsetInterval

    /// Wall clock minus local clock, nanoseconds.
    public func offset(at local: Monotonic) -> Int64 {
        let gained = local.elapsed(since: instant).count.nanoseconds(atRate: drift)
        return offset.clampedSum(gained)
    }

    public func wallClock(at local: Monotonic) -> WallClockInstant {
        WallClockInstant(nanoseconds: local.nanoseconds.clampedSum(offset(at: local)))
    }

    /// The greatest error of the estimate.
    public func dispersion(at local: Monotonic) -> Nanoseconds { dispersion(ofOffset: offset(at: local), at: local) }

    /// The greatest error of another offset at this instant.
    func dispersion(ofOffset offset: Int64, at local: Monotonic) -> Nanoseconds {
        let possible = interval.moved(to: local, error: frequencyError)
        let below = offset.clampedSum(possible.lower == .min ? .max : -possible.lower)
        let above = possible.upper.clampedSum(offset == .min ? .max : -offset)
        return Nanoseconds(max(below, above))
    }
}
