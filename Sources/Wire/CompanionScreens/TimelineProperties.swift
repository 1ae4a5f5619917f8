// SPDX-License-Identifier: Apache-2.0
import Time

/// How a timeline counts. It has `unitsPerSecond` / `unitsPerTick` ticks in a second: 30 000 / 1 001 for 29.97 pictures.
public struct TimelineProperties: Hashable, Sendable {
    /// What both units may be. The standard asks for more than 0; the upper end keeps arithmetic within 128 bits.
    public static let units: ClosedRange<Int64> = 1...1_000_000_000

    public let unitsPerTick: Int64
    public let unitsPerSecond: Int64
    /// How far the timeline may be from the content, in seconds, finite and not negative; nil if it is not told.
    public let accuracy: Double?

    /// - Parameters:
    ///   - unitsPerTick: of `units`, as is the next.
    ///   - accuracy: seconds, finite and not negative.
    public init(unitsPerTick: Int64 = 1, unitsPerSecond: Int64, accuracy: Double? = nil) {
        precondition(Self.units.contains(unitsPerTick) && Self.units.contains(unitsPerSecond))
        precondition(accuracy.map { $0 >= 0 && $0.isFinite } ?? true)
        self.unitsPerTick = unitsPerTick
        self.unitsPerSecond = unitsPerSecond
        self.accuracy = accuracy
    }

    /// A timeline of so many whole ticks in a second.
    public init(_ rate: TickRate) { self.init(unitsPerSecond: rate.ticksPerSecond) }

    /// Ticks in a span, rounded down; nil if they do not fit.
    func ticks(nanoseconds: Int64) -> Int64? {
        nanoseconds.scaled(by: unitsPerSecond, over: unitsPerTick * 1_000_000_000)
    }
}

extension Int64 {
    /// This × factor / divisor, rounded down; nil if its magnitude does not fit.
    /// - Parameter divisor: above 0.
    func scaled(by factor: Int64, over divisor: Int64) -> Int64? {
        let product = magnitude.multipliedFullWidth(by: factor.magnitude)
        guard product.high < divisor.magnitude else { return nil }
        let (quotient, rest) = divisor.magnitude.dividingFullWidth(product)
        guard let value = Int64(exactly: quotient) else { return nil }
        return (self < 0) == (factor < 0) ? value : -value - (rest > 0 ? 1 : 0)
    }
}
