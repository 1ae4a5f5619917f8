// SPDX-License-Identifier: Apache-2.0
import Time

extension VBlankClock {
    /// The rate of a clock that counts the vblanks of the display's mode; nil if there is no vblank.
    public var clockRate: ClockRate? { nominal.map { ClockRate(period: $0) } }

    /// The correlation of a clock of that rate under the monotonic clock. The measured interval appears as the speed.
    /// The numbers are those of this `generation`. nil if there is no vblank, or none was seen.
    public var clockCorrelation: ClockCorrelation? {
        guard let nominal, let (origin, number, period) = measured else { return nil }
        let stated = (nominal.count * 1_000).magnitude.multipliedFullWidth(by: ClockSpeed.one.magnitude)
        // The interval is within 0.5 % of the mode's, so the quotient is near to `ClockSpeed.one`.
        let exact = period.magnitude.dividingFullWidth(stated)
        let speed = ClockSpeed(unchecked: Int64(exact.quotient) + (exact.remainder > period.magnitude / 2 ? 1 : 0))
        let initial = error(at: origin)
        // The error grows by the same amount with each vblank.
        let perVBlank = error(at: origin + span) - initial
        let growth = perVBlank.count * 1_000_000_000 / span.count + 2
        return ClockCorrelation(
            parentTicks: origin.nanoseconds, ticks: number, speed: speed,
            bound: ErrorBound(initial, growth: growth))
    }
}
