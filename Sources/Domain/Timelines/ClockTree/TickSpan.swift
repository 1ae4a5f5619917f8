// SPDX-License-Identifier: Apache-2.0
import Time

/// A distance on the scale of a clock, never negative: whole ticks and a fraction in units of 2⁻⁶⁴ tick.
struct TickSpan: Hashable, Sendable, BitwiseCopyable {
    let whole: UInt64
    let fraction: UInt64

    init(whole: UInt64, fraction: UInt64 = 0) {
        self.whole = whole
        self.fraction = fraction
    }

    /// Whole ticks, here nanoseconds, rounded up; at most `Int64.max`.
    var roundedUp: Nanoseconds {
        let (sum, overflow) = whole.addingReportingOverflow(fraction > 0 ? 1 : 0)
        return Nanoseconds(overflow ? .max : Int64(clamping: sum))
    }

    /// The span times `ratio`, rounded down to a multiple of 2⁻⁶⁴; nil from 2⁶⁴ on.
    func scaled(by ratio: TickRatio) -> TickSpan? {
        guard ratio != .one else { return self }
        // 128 bits times 64 bits make 192 bits; each division leaves a remainder below the denominator for the next.
        let low = fraction.multipliedFullWidth(by: ratio.numerator)
        let high = whole.multipliedFullWidth(by: ratio.numerator)
        let (middle, carries) = high.low.addingReportingOverflow(low.high)
        let top = high.high &+ (carries ? 1 : 0)
        guard top < ratio.denominator else { return nil }
        let ticks = ratio.denominator.dividingFullWidth((top, middle))
        let part = ratio.denominator.dividingFullWidth((ticks.remainder, low.low))
        return TickSpan(whole: ticks.quotient, fraction: part.quotient)
    }

    /// The span times both ratios. The smaller one comes first, so that nothing overflows that need not.
    func scaled(by one: TickRatio, _ other: TickRatio) -> TickSpan? {
        let isFirst = one.numerator <= one.denominator
        return scaled(by: isFirst ? one : other)?.scaled(by: isFirst ? other : one)
    }
}
