// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time

/// Dates, times and durations of service information (ETSI EN 300 468 annex C): a modified Julian day of 16 bits, then
/// hours, minutes and seconds in BCD.
enum DVBTime {
    private static let secondsOfDay: Int64 = 86_400
    /// Modified Julian day of 1970-01-01.
    private static let epoch: Int64 = 40_587
    /// Number of modified Julian days that 16 bits distinguish.
    private static let cycle: Int64 = 1 << 16
    /// The values of 40 and of 24 bits that mean "undefined".
    private static let undefined = (time: UInt64(0xFF_FFFF_FFFF), span: UInt64(0xFF_FFFF))

    /// Reads a UTC time of 40 bits; nil if all are set (undefined). The day of 16 bits overflows in April 2038, so days
    /// before 1970 are taken as days after that.
    static func time(from reader: inout WireReader, _ name: StaticName) throws(WireError) -> WallTime? {
        let start = reader.offset
        let value = try reader.read(octets: 5)
        guard value != undefined.time else { return nil }
        guard let seconds = seconds(UInt32(value & 0xFF_FFFF)), seconds < secondsOfDay else {
            throw WireError(.invalid(name, value), at: start)
        }
        let day = Int64(value >> 24)
        let days = day < epoch ? day + cycle - epoch : day - epoch
        return WallTime(nanoseconds: (days * secondsOfDay + seconds) * 1_000_000_000)
    }

    /// Reads a duration of 24 bits, up to 99:59:59; nil if all are set (undefined).
    static func span(from reader: inout WireReader, _ name: StaticName) throws(WireError) -> Nanoseconds? {
        let start = reader.offset
        let value = try reader.read(octets: 3)
        guard value != undefined.span else { return nil }
        guard let seconds = seconds(UInt32(value)) else { throw WireError(.invalid(name, value), at: start) }
        return .seconds(seconds)
    }

    /// Reads a time offset of 16 bits: hours and minutes.
    static func offset(from reader: inout WireReader, _ name: StaticName) throws(WireError) -> Nanoseconds {
        let start = reader.offset
        let value: UInt16 = try reader.read()
        guard let seconds = seconds(UInt32(value) << 8) else {
            throw WireError(.invalid(name, UInt64(value)), at: start)
        }
        return .seconds(seconds)
    }

    /// Writes a time in whole seconds; nil is written as undefined.
    /// - Precondition: 1970 or later.
    static func write(_ time: WallTime?, to out: inout WireWriter) {
        guard let seconds = time.map({ $0.nanoseconds / 1_000_000_000 }) else {
            return out.write(undefined.time, octets: 5)
        }
        precondition(seconds >= 0)
        out.write(UInt16(truncatingIfNeeded: seconds / secondsOfDay + epoch))
        out.write(digits(seconds % secondsOfDay), octets: 3)
    }

    /// Writes a duration; nil is written as undefined.
    /// - Precondition: 0 s to 99:59:59.
    static func write(_ span: Nanoseconds?, to out: inout WireWriter) {
        out.write(span.map { digits($0.seconds) } ?? undefined.span, octets: 3)
    }

    /// Writes an offset in whole minutes.
    /// - Precondition: 0 s to 99:59:59.
    static func write(offset: Nanoseconds, to out: inout WireWriter) {
        out.write(UInt16(truncatingIfNeeded: digits(offset.seconds) >> 8))
    }

    /// - Parameter digits: hhmmss in BCD.
    /// - Returns: the seconds, or nil if the digits are not a valid time.
    private static func seconds(_ digits: UInt32) -> Int64? {
        guard let hours = number(digits >> 16), let minutes = number(digits >> 8), let seconds = number(digits),
            minutes < 60, seconds < 60
        else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }

    /// The number of the lowest two digits; nil if they are not decimal.
    private static func number(_ digits: UInt32) -> Int64? {
        let (tens, ones) = (digits >> 4 & 0xF, digits & 0xF)
        return tens < 10 && ones < 10 ? Int64(tens * 10 + ones) : nil
    }

    private static func digits(_ seconds: Int64) -> UInt64 {
        precondition((0..<360_000).contains(seconds))
        var digits: UInt64 = 0
        for part in [seconds / 3_600, seconds / 60 % 60, seconds % 60] {
            digits = digits << 8 | UInt64((part / 10) << 4 | part % 10)
        }
        return digits
    }
}
