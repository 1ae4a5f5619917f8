// SPDX-License-Identifier: Apache-2.0

/// A fraction by which spans of ticks are multiplied. Numerator and denominator have no common divisor.
struct TickRatio: Hashable, Sendable, BitwiseCopyable {
    let numerator: UInt64
    let denominator: UInt64

    static let one = TickRatio(1, over: 1)

    /// - Parameter denominator: at least 1.
    init(_ numerator: UInt64, over denominator: UInt64) {
        precondition(denominator > 0)
        var (divisor, rest) = (denominator, numerator)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    private init(reduced numerator: UInt64, over denominator: UInt64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// nil for zero.
    var inverse: TickRatio? { numerator == 0 ? nil : TickRatio(reduced: denominator, over: numerator) }
}
