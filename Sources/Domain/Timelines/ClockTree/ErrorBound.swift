// SPDX-License-Identifier: Apache-2.0
import Time

/// The largest possible error of a correlation: its value at the correlation point, and its growth with the distance
/// from it in either direction. In TS 103 286-2 this is the dispersion of a clock.
public struct ErrorBound: Hashable, Sendable, BitwiseCopyable {
    /// The bound at the correlation point, in nanoseconds of the parent clock; never negative.
    public let initial: Nanoseconds
    /// Nanoseconds per second of the parent clock, which is parts per billion; never negative. A clock of 500 ppm has
    /// 500 000.
    public let growth: Int64

    /// Negative values count as zero.
    public init(_ initial: Nanoseconds, growth: Int64 = 0) {
        self.initial = max(.zero, initial)
        self.growth = max(0, growth)
    }

    public static let zero = ErrorBound(.zero)
    /// The bound of a clock about which nothing is known.
    public static let unknown = ErrorBound(Nanoseconds(.max))

    /// The bound at a distance from the correlation point, rounded up; at most `Int64.max`.
    func value(at distance: TickSpan, of parent: ClockRate) -> Nanoseconds {
        // Ticks × seconds per tick × nanoseconds per second of growth.
        let tick = TickRatio(parent.unitsPerTick.magnitude, over: parent.unitsPerSecond.magnitude)
        let grown = distance.scaled(by: tick, TickRatio(growth.magnitude, over: 1))
        return initial.addingClamped(grown?.roundedUp ?? Nanoseconds(.max))
    }
}

extension Nanoseconds {
    /// The sum of two spans that are not negative; at most `Int64.max`.
    func addingClamped(_ other: Nanoseconds) -> Nanoseconds {
        let (sum, overflow) = count.addingReportingOverflow(other.count)
        return Nanoseconds(overflow ? .max : sum)
    }

    /// A span that is not negative times `ratio`, if that is more than 1, rounded up; at most `Int64.max`.
    func widened(by ratio: TickRatio) -> Nanoseconds {
        guard ratio.numerator > ratio.denominator else { return self }
        return TickSpan(whole: count.magnitude).scaled(by: ratio)?.roundedUp ?? Nanoseconds(.max)
    }
}
