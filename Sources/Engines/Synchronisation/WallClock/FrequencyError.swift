// SPDX-License-Identifier: Apache-2.0
import Time

/// The greatest frequency error of a clock, in the unit of CSS-WC: 1/256 ppm.
public struct FrequencyError: Hashable, Comparable, Sendable {
    /// A clock that may be wrong by more than a tenth is no clock.
    public static let most = FrequencyError(units: 25_600_000)
    private static let unitsOfWhole: UInt64 = 256_000_000

    public let units: Int64

    public init(units: Int64) { self.units = units }

    public static func ppm(_ value: Int64) -> FrequencyError { FrequencyError(units: value &* 256) }

    public var isPlausible: Bool { (0...Self.most.units).contains(units) }

    /// The error in nanoseconds a second, rounded up.
    var nanosecondsPerSecond: Int64 { (units &* 1_000 &+ 255) / 256 }

    /// How far the clock may go wrong during a span of either sign, rounded up.
    func growth(over span: Nanoseconds) -> Int64 {
        let units = UInt64(max(0, min(units, 4 * Self.most.units)))
        let (high, low) = span.count.magnitude.multipliedFullWidth(by: units)
        let (quotient, remainder) = Self.unitsOfWhole.dividingFullWidth((high, low))
        return Int64(clamping: quotient &+ (remainder > 0 ? 1 : 0))
    }

    /// How long it takes until the clock may be wrong by `amount`; rounded down. Nil for a clock that is never wrong.
    func span(until amount: Nanoseconds) -> Nanoseconds? {
        guard units > 0 else { return nil }
        let (high, low) = amount.count.magnitude.multipliedFullWidth(by: Self.unitsOfWhole)
        guard high < UInt64(units) else { return Nanoseconds(.max) }
        return Nanoseconds(Int64(clamping: UInt64(units).dividingFullWidth((high, low)).quotient))
    }

    /// The error of this clock by a local one that is wrong itself: (1 + a) / (1 - b) - 1 = (a + b) / (1 - b).
    /// Both are plausible.
    func relative(to local: FrequencyError) -> FrequencyError {
        let sum = units &+ local.units
        let rest = Int64(Self.unitsOfWhole) &- local.units
        return FrequencyError(units: sum &+ (sum &* local.units &+ rest &- 1) / rest)
    }

    public static func < (left: FrequencyError, right: FrequencyError) -> Bool { left.units < right.units }
}
