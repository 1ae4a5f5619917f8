// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The UTC offsets of one time zone, past and future, from a TZif file (RFC 9636).
public struct TimeZoneRules: Hashable, Sendable {
    /// Octets of the largest file accepted; all of tzdata's are smaller.
    public static let largestFile = 1 << 16
    private static let mostTransitions: UInt32 = 4_096
    private static let mostTypes: UInt32 = 256

    public static let utc = TimeZoneRules()

    /// Transition times in seconds since 1970, ascending. From transition i on, `offsets[i]` holds.
    private var transitions: [Int64] = []
    private var offsets: [Int] = []
    private var first = 0
    /// Rule for the time after the last transition; nil if the file has none.
    private var rule: RecurringOffsets?

    private init() {}

    /// - Throws: `WireError` if the octets are not a valid TZif file.
    public init(tzif octets: [UInt8]) throws(WireError) {
        let result: Result<TimeZoneRules, WireError> = octets.withUnsafeBytes { bytes in
            do throws(WireError) {
                return .success(try TimeZoneRules(reading: bytes))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    /// The offset in seconds east of Greenwich.
    public func offset(at time: WallTime) -> Int {
        let seconds = time.seconds
        guard let last = transitions.last, seconds < last else {
            return rule?.offset(at: seconds) ?? offsets.last ?? first
        }
        var (low, high) = (0, transitions.count)  // low becomes the number of transitions that are not later
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    public func civil(at time: WallTime) -> CivilTime { time.civil(offset: offset(at: time)) }

    /// The time in this zone by RFC 3339, in whole seconds: `2026-11-21T02:02:03+01:00`. The offset is cut to whole
    /// minutes, because the format has no seconds there.
    public func text(of time: WallTime) -> String {
        let minutes = offset(at: time) / 60
        let shifted = WallTime(nanoseconds: time.nanoseconds &+ Int64(minutes) * 60_000_000_000)
        func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "\(shifted.description.prefix(19))\(minutes < 0 ? "-" : "+")\(pad(hours)):\(pad(rest))"
    }

    // MARK: Reading

    private struct Counts {
        let utc, standard, leaps, transitions, types, characters: Int

        /// Octets of the data block after its transitions and types.
        func rest(timeOctets: Int) -> Int { characters + leaps * (timeOctets + 4) + standard + utc }
    }

    private init(reading bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count <= Self.largestFile else {
            throw WireError(.limit("TZif octets", UInt64(bytes.count)), at: 0)
        }
        var reader = WireReader(bytes)
        var (version, counts) = try Self.header(&reader)
        guard version >= 0x32 else {  // '2'
            try read(&reader, counts, timeOctets: 4)
            return
        }
        try reader.skip(counts.transitions * 5 + counts.types * 6 + counts.rest(timeOctets: 4))
        (version, counts) = try Self.header(&reader)
        try read(&reader, counts, timeOctets: 8)
        let footer = bytes[reader.takeRest()]
        guard footer.count >= 2, footer.first == 0x0a, footer.last == 0x0a else {
            throw WireError(.invalid("TZif footer", UInt64(footer.count)), at: bytes.count)
        }
        let text = Array(footer.dropFirst().dropLast())
        guard !text.isEmpty else { return }
        guard let rule = RecurringOffsets(posix: text) else {
            throw WireError(.invalid("TZ string of octets", UInt64(text.count)), at: bytes.count - text.count)
        }
        self.rule = rule
    }

    private static func header(_ reader: inout WireReader) throws(WireError) -> (version: UInt8, Counts) {
        let start = reader.offset
        let magic: UInt32 = try reader.read()
        guard magic == 0x545a_6966 else { throw WireError(.invalid("TZif magic", UInt64(magic)), at: start) }
        let version: UInt8 = try reader.read()
        try reader.skip(15)
        var values: [Int] = []
        for index in 0..<6 {
            let value: UInt32 = try reader.read()
            let most = index == 4 ? mostTypes : mostTransitions
            guard value <= most else { throw WireError(.limit("TZif count", UInt64(value)), at: reader.offset - 4) }
            values.append(Int(value))
        }
        guard values[4] > 0 else { throw WireError(.invalid("TZif type count", 0), at: start) }
        return (
            version,
            Counts(
                utc: values[0], standard: values[1], leaps: values[2], transitions: values[3], types: values[4],
                characters: values[5])
        )
    }

    private mutating func read(
        _ reader: inout WireReader, _ counts: Counts, timeOctets: Int
    ) throws(WireError) {
        for _ in 0..<counts.transitions {
            let time: Int64
            if timeOctets == 8 { time = try reader.read() } else { time = Int64(try reader.read(Int32.self)) }
            guard time > transitions.last ?? .min else {
                throw WireError(.invalid("transition time", UInt64(bitPattern: time)), at: reader.offset - timeOctets)
            }
            transitions.append(time)
        }
        var types: [Int] = []
        for _ in 0..<counts.transitions {
            let type: UInt8 = try reader.read()
            guard Int(type) < counts.types else {
                throw WireError(.invalid("transition type", UInt64(type)), at: reader.offset - 1)
            }
            types.append(Int(type))
        }
        var offsetOfType: [Int] = []
        for _ in 0..<counts.types {
            let offset: Int32 = try reader.read()
            guard (-93_600...93_600).contains(offset) else {
                throw WireError(.invalid("UT offset", UInt64(UInt32(bitPattern: offset))), at: reader.offset - 4)
            }
            try reader.skip(2)
            offsetOfType.append(Int(offset))
        }
        first = offsetOfType[0]
        offsets = types.map { offsetOfType[$0] }
        try reader.skip(counts.rest(timeOctets: timeOctets))
    }
}
