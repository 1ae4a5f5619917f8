// SPDX-License-Identifier: Apache-2.0

/// A place on the scale of a clock, with a fraction in units of 2⁻⁶⁴ tick. Conversions over several clocks carry the
/// fraction, so that a coarse clock in between (a timeline of 25 ticks per second) costs no accuracy.
struct TickPosition: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Whole ticks plus 2⁶³: an unsigned number in the same order.
    private let shifted: UInt64
    private let fraction: UInt64

    private static let shift: UInt64 = 1 << 63

    init(_ ticks: Int64) {
        shifted = UInt64(bitPattern: ticks) ^ Self.shift
        fraction = 0
    }

    private init(shifted: UInt64, fraction: UInt64) {
        self.shifted = shifted
        self.fraction = fraction
    }

    /// The nearest tick; of two that are equally near, the later one. nil if that is no `Int64`.
    var rounded: Int64? {
        let (sum, overflow) = shifted.addingReportingOverflow(fraction >> 63)
        return overflow ? nil : Int64(bitPattern: sum ^ Self.shift)
    }

    static func < (left: TickPosition, right: TickPosition) -> Bool {
        (left.shifted, left.fraction) < (right.shifted, right.fraction)
    }

    /// The distance to another place, whichever is later.
    func distance(to other: TickPosition) -> TickSpan {
        let (from, to) = self < other ? (self, other) : (other, self)
        let (fraction, borrows) = to.fraction.subtractingReportingOverflow(from.fraction)
        return TickSpan(whole: to.shifted &- from.shifted &- (borrows ? 1 : 0), fraction: fraction)
    }

    /// nil if the place is beyond the range of `Int64`.
    func moved(by span: TickSpan, backwards: Bool) -> TickPosition? {
        if backwards {
            let (fraction, borrows) = self.fraction.subtractingReportingOverflow(span.fraction)
            let (whole, isBelow) = shifted.subtractingReportingOverflow(span.whole)
            guard !isBelow, whole > 0 || !borrows else { return nil }
            return TickPosition(shifted: whole &- (borrows ? 1 : 0), fraction: fraction)
        }
        let (fraction, carries) = self.fraction.addingReportingOverflow(span.fraction)
        let (whole, isAbove) = shifted.addingReportingOverflow(span.whole)
        guard !isAbove, whole < .max || !carries else { return nil }
        return TickPosition(shifted: whole &+ (carries ? 1 : 0), fraction: fraction)
    }
}
