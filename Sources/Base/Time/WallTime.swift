// SPDX-License-Identifier: Apache-2.0

/// Wall-clock time for display and reports: nanoseconds since 1970-01-01T00:00:00Z. It is never used to measure or to
/// wait.
@frozen
public struct WallTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    public let nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static func < (left: WallTime, right: WallTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time in UTC by RFC 3339, with milliseconds: `2026-11-21T01:02:03.456Z`.
    public var description: String {
        let (days, rest) = floorDivide(nanoseconds, 86_400_000_000_000)
        let milliseconds = rest / 1_000_000
        let (year, month, day) = Self.civil(fromDays: days)
        var octets: [UInt8] = []
        octets.reserveCapacity(24)
        /// Appends the last `width` digits of a value that is not negative, and what follows them.
        func add(_ value: Int64, _ width: Int, then mark: Unicode.Scalar) {
            var unit: Int64 = 1
            for _ in 1..<width { unit *= 10 }
            while unit > 0 {
                octets.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
                unit /= 10
            }
            octets.append(UInt8(ascii: mark))
        }
        add(year, 4, then: "-")
        add(month, 2, then: "-")
        add(day, 2, then: "T")
        add(milliseconds / 3_600_000, 2, then: ":")
        add(milliseconds / 60_000 % 60, 2, then: ":")
        add(milliseconds / 1_000 % 60, 2, then: ".")
        add(milliseconds % 1_000, 3, then: "Z")
        return String(decoding: octets, as: UTF8.self)
    }

    /// The proleptic Gregorian date of a number of days since 1970-01-01 (Howard Hinnant's `civil_from_days`).
    static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = floorDivide(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
