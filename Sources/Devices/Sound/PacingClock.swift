// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Time

/// The time that outputs without a device of their own keep.
public protocol PacingClock: Sendable {
    func now() -> Monotonic

    func sleep(until instant: Monotonic)
}

/// CLOCK_MONOTONIC.
public struct SystemPacingClock: PacingClock {
    public init() {}

    public func now() -> Monotonic { SystemClock.monotonic() }

    public func sleep(until instant: Monotonic) {
        let nanoseconds = max(0, instant.nanoseconds)
        var deadline = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
    }
}
