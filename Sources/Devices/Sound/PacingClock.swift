// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// The clock by which outputs without a device pace themselves.
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
