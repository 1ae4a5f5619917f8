// SPDX-License-Identifier: Apache-2.0

extension WallTime {
    /// Reads a time by RFC 3339, such as `2026-11-21T01:02:03.456Z` or `2026-11-21T02:02:03+01:00`, from 1970 to 2261. A leap
    /// second is the second after it; digits behind nanoseconds are dropped.
    /// - Returns: nil for any other text.
    public init?(rfc3339 text: some StringProtocol) {
        var reader = RFC3339Reader(Array(text.utf8.prefix(64)))
        guard text.utf8.count < 64, let nanoseconds = reader.read() else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

/// Reads the text of one time.
private struct RFC3339Reader {
    private let octets: [UInt8]
    private var offset = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    mutating func read() -> Int64? {
        guard let year = number(4, 1970...2261), skip("-"), let month = number(2, 1...12), skip("-"),
            let day = number(2, 1...Self.days(of: month, year)), skip("T"), let hour = number(2, 0...23), skip(":"),
            let minute = number(2, 0...59), skip(":"), let second = number(2, 0...60), let fraction = fraction(),
            let offset = zone(), self.offset == octets.count
        else { return nil }
        let days = WallTime.days(toYear: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return seconds < 0 ? nil : seconds * 1_000_000_000 + fraction
    }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private mutating func digit() -> Int64? {
        guard offset < octets.count, (0x30...0x39).contains(octets[offset]) else { return nil }
        offset += 1
        return Int64(octets[offset - 1] - 0x30)
    }

    private mutating func number(_ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return range.contains(value) ? value : nil
    }

    /// Letters may be of either case.
    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard offset < octets.count else { return false }
        let octet = octets[offset]
        guard octet == UInt8(ascii: mark) || mark.properties.isAlphabetic && octet == UInt8(ascii: mark) | 0x20 else {
            return false
        }
        offset += 1
        return true
    }

    /// Nanoseconds; 0 if there is no fraction, nil if it has no digits.
    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 9 { (value, count) = (value * 10 + digit, count + 1) }
        }
        for _ in count..<9 { value *= 10 }
        return value
    }

    /// Seconds east of Greenwich.
    private mutating func zone() -> Int64? {
        if skip("Z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(2, 0...23), skip(":"), let minutes = number(2, 0...59) else {
            return nil
        }
        return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }
}
