// SPDX-License-Identifier: Apache-2.0
import Time

extension StreamCorrelation {
    /// The correlation of a clock that counts unwrapped 90 kHz time stamps (`TickRate.mpeg`) under the monotonic clock,
    /// whose instants are media time.
    /// - Parameters:
    ///   - instant: an instant near which the stream is; the bound grows from there.
    ///   - bound: the stream's clock has none of its own.
    public func clockCorrelation(near instant: Monotonic, bound: ErrorBound) -> ClockCorrelation {
        // Whole seconds are exact on both scales.
        let seconds = (instant - offset).nanoseconds / 1_000_000_000
        let ticks = seconds * TickRate.mpeg.ticksPerSecond
        return ClockCorrelation(parentTicks: time(of: ticks).nanoseconds, ticks: ticks, bound: bound)
    }
}
