// SPDX-License-Identifier: Apache-2.0
import Time

/// The tick rate of a clock at normal speed, as an exact fraction: 30000/1001 ticks per second is 30 000 units per
/// second and 1 001 units per tick, as CSS-CII states it (TS 103 286-2, timelineProperties).
public struct ClockRate: Hashable, Sendable, BitwiseCopyable {
    /// The two have no common divisor.
    public let unitsPerSecond: Int64
    public let unitsPerTick: Int64

    /// Both numbers are 1...10⁹, so that the ratio of two rates always fits 64 bits. nil for others.
    public init?(unitsPerSecond: Int64, unitsPerTick: Int64 = 1) {
        let range: ClosedRange<Int64> = 1...1_000_000_000
        guard range.contains(unitsPerSecond), range.contains(unitsPerTick) else { return nil }
        self.init(TickRatio(unitsPerSecond.magnitude, over: unitsPerTick.magnitude))
    }

    public init(_ rate: TickRate) { self.init(TickRatio(rate.ticksPerSecond.magnitude, over: 1)) }

    /// - Parameter period: the time of a tick, 1...10⁹ ns.
    init(period: Nanoseconds) {
        precondition((1...1_000_000_000).contains(period.count))
        self.init(TickRatio(1_000_000_000, over: period.count.magnitude))
    }

    private init(_ ratio: TickRatio) {
        unitsPerSecond = Int64(ratio.numerator)
        unitsPerTick = Int64(ratio.denominator)
    }

    /// A tick is a nanosecond: the monotonic clock and wall clocks.
    public static let nanoseconds = ClockRate(TickRate(1_000_000_000))

    /// Ticks of this clock for each tick of the other while both run at normal speed.
    func ratio(to other: ClockRate) -> TickRatio {
        TickRatio(
            (unitsPerSecond * other.unitsPerTick).magnitude, over: (unitsPerTick * other.unitsPerSecond).magnitude)
    }
}
