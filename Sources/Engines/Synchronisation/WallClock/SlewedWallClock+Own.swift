// SPDX-License-Identifier: Apache-2.0
import Time

extension SlewedWallClock {
    /// The wall clock that this box serves, which is its monotonic clock.
    public static func own(at now: Monotonic) -> SlewedWallClock {
        let interval = OffsetInterval(lower: 0, upper: 0, at: now)
        return SlewedWallClock(
            steppingTo: WallClockEstimate(
                instant: now, offset: 0, drift: 0, frequencyError: FrequencyError(units: 0), interval: interval),
            at: now)
    }
}
