// SPDX-License-Identifier: Apache-2.0

/// The rule for standard and summer time of every year: a POSIX TZ string with RFC 9636's extensions, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct RecurringOffsets: Hashable, Sendable {
    private struct Summer: Hashable {
        let offset: Int
        let start: Change
        let end: Change
    }

    private struct Change: Hashable {
        enum Day: Hashable {
            /// Day 1...365 of the year; 29 February is never counted.
            case julian(Int64)
            /// Day 0...365 of the year; 29 February is counted.
            case ordinal(Int64)
            /// A weekday in a week of a month: week 5 is the last, day 0 is Sunday.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        let day: Day
        /// Seconds from local midnight; -167...167 hours.
        let time: Int64
    }

    private let standard: Int
    private let summer: Summer?

    init?(posix text: [UInt8]) {
        var reader = Reader(rest: text[...])
        guard text.count <= 64, reader.skipName(), let standard = reader.offset() else { return nil }
        self.standard = standard
        guard !reader.rest.isEmpty else {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = standard + 3_600
        if let next = reader.rest.first, next != UInt8(ascii: ",") {
            guard let given = reader.offset() else { return nil }
            offset = given
        }
        guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// The offset in seconds east of Greenwich.
    /// - Parameter seconds: seconds since 1970, UTC.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        let year = WallTime.civil(fromDays: floorDivide(seconds &+ Int64(standard), 86_400).quotient).year
        let start = Self.instant(of: summer.start, in: year) - Int64(standard)
        let end = Self.instant(of: summer.end, in: year) - Int64(summer.offset)
        let isSummer = start <= end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isSummer ? summer.offset : standard
    }

    /// The change in a year, in seconds of local time since 1970.
    private static func instant(of change: Change, in year: Int64) -> Int64 {
        let newYear = WallTime.days(toYear: year, month: 1, day: 1)
        let day: Int64
        switch change.day {
        case .julian(let number):
            let isLeap = WallTime.days(toYear: year + 1, month: 1, day: 1) - newYear == 366
            day = newYear + number - (isLeap && number >= 60 ? 0 : 1)
        case .ordinal(let number): day = newYear + number
        case .weekday(let month, let week, let weekday):
            let first = WallTime.days(toYear: year, month: month, day: 1)
            let next = WallTime.days(toYear: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
            let (_, ofFirst) = floorDivide(first + 4, 7)  // 1970-01-01 was a Thursday
            var found = first + (weekday - ofFirst + 7) % 7 + (week - 1) * 7
            if found >= next { found -= 7 }
            day = found
        }
        return day * 86_400 + change.time
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        private mutating func skip(_ octet: UInt8) -> Bool {
            guard rest.first == octet else { return false }
            rest.removeFirst()
            return true
        }

        /// Skips a name: three or more letters, or anything in angle brackets.
        mutating func skipName() -> Bool {
            if skip(UInt8(ascii: "<")) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let before = rest.count
            rest = rest.drop { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a }
            return before - rest.count >= 3
        }

        private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            let value = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
            return range.contains(value) ? value : nil
        }

        /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
        private mutating func time(hours: ClosedRange<Int64>) -> Int64? {
            let isNegative = skip(UInt8(ascii: "-"))
            if !isNegative { _ = skip(UInt8(ascii: "+")) }
            guard var seconds = number(hours).map({ $0 * 3_600 }) else { return nil }
            for unit in [60, 1] as [Int64] {
                guard skip(UInt8(ascii: ":")) else { break }
                guard let value = number(0...59) else { return nil }
                seconds += value * unit
            }
            return isNegative ? -seconds : seconds
        }

        /// Reads an offset, in seconds east of Greenwich; POSIX writes hours west of it.
        mutating func offset() -> Int? { time(hours: 0...24).map { Int(-$0) } }

        mutating func change() -> Change? {
            guard skip(UInt8(ascii: ",")), let day = day() else { return nil }
            guard skip(UInt8(ascii: "/")) else { return Change(day: day, time: 7_200) }
            return time(hours: 0...167).map { Change(day: day, time: $0) }
        }

        private mutating func day() -> Change.Day? {
            if skip(UInt8(ascii: "J")) { return number(1...365).map { .julian($0) } }
            guard skip(UInt8(ascii: "M")) else { return number(0...365).map { .ordinal($0) } }
            guard let month = number(1...12), skip(UInt8(ascii: ".")), let week = number(1...5),
                skip(UInt8(ascii: ".")), let day = number(0...6)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
    }
}
