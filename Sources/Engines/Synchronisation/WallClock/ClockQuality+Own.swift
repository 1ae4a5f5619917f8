// SPDX-License-Identifier: Apache-2.0
import System
import Time

extension ClockQuality {
    /// What the crystals of boards that are sold are within, aged and warm.
    private static let crystal = FrequencyError.ppm(50)

    /// That of this machine's monotonic clock: its precision as measured now, its frequency error as crystals have it.
    public static func own() -> ClockQuality {
        ClockQuality(precision: min(SystemClock.measuredPrecision(), worstPrecision), frequencyError: crystal)
    }
}
