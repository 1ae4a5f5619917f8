// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// What a machine's clocks say beside the time; replaced by tests.
package struct MachineClock: Sendable {
    /// Whether the wall clock was set by something that knows the time.
    package var isSynchronised: @Sendable () -> Bool = { SystemClock.isSynchronised }
    /// How long the machine has been suspended since it booted.
    package var suspended: @Sendable () -> Nanoseconds = { SystemClock.suspended }

    package init() {}
}
