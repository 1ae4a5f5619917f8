// SPDX-License-Identifier: Apache-2.0

/// A date and a time of day in some time zone.
public struct CivilTime: Hashable, Sendable {
    public var year: Int
    /// Month, 1...12.
    public var month: Int
    /// Day of the month, 1...31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int

    /// The time of day as `20:15`.
    public var clock: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

extension WallTime {
    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { floorDivide(nanoseconds, 1_000_000_000).quotient }

    /// - Parameter offset: seconds east of Greenwich.
    public func civil(offset: Int) -> CivilTime {
        let (days, rest) = floorDivide(seconds &+ Int64(offset), 86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        return CivilTime(
            year: Int(year), month: Int(month), day: Int(day), hour: Int(rest / 3_600), minute: Int(rest / 60 % 60),
            second: Int(rest % 60))
    }

    /// Days from 1970-01-01 to a proleptic Gregorian date (Howard Hinnant's `days_from_civil`).
    static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
