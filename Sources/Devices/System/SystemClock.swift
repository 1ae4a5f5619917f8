// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// The only place that reads a clock.
public enum SystemClock {
    public static func monotonic() -> Monotonic { Monotonic(nanoseconds: read(CLOCK_MONOTONIC)) }

    public static func wall() -> WallTime { WallTime(nanoseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var instant = timespec()
        clock_gettime(clock, &instant)
        return Int64(instant.tv_sec) * 1_000_000_000 + Int64(instant.tv_nsec)
    }
}
