// SPDX-License-Identifier: Apache-2.0
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

    public func sleep(until instant: Monotonic) { SystemClock.sleep(until: instant) }
}
