// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What a spool remembers besides its records, in a file that is replaced as a whole.
///
///      0        1        2        3
///     +--------+--------+--------+--------+
///     |  0xF7  |  'T'   |  'S'   |  0x01  |  mark, with the version of the form
///     +--------+--------+--------+--------+
///     |              CRC-32C              |  of all that follows
///     +--------+--------+--------+--------+
///     |           lost reports            |
///     |                                   |
///     +--------+--------+--------+--------+
///     |           boots (count)           |
///     +--------+--------+--------+--------+
///     |           boot: ordinal           |  from here on for each boot, in their order
///     +--------+--------+--------+--------+
///     |           boot: nonce             |
///     |                                   |
///     +--------+--------+--------+--------+
///     |          ranges (count)           |
///     +--------+--------+--------+--------+
///     |          first sequence           |  for each range, ascending
///     |                                   |
///     +--------+--------+--------+--------+
///     |   sequence behind the last one    |
///     |                                   |
///     +--------+--------+--------+--------+
package struct SpoolState: Equatable, Sendable {
    static let fileName = "settled"
    private static let mark: [UInt8] = [0xF7, UInt8(ascii: "T"), UInt8(ascii: "S"), 1]
    private static let mostBoots = 4_096
    /// Of all boots together. The ranges that are beyond it are forgotten: their reports are sent again.
    private static let mostRanges = 32_768
    /// Octets of the longest file.
    static let mostOctets = 20 + mostBoots * 16 + mostRanges * 16

    /// Reports that were given up since the box was made.
    package var lost: Int64 = 0
    /// Sequences of reports that are not sent any more: acknowledged, refused or given up.
    package var settled: [BootID: RangeSet<UInt64>] = [:]

    package init() {}

    /// Adds what was found on the disk later.
    mutating func merge(_ other: SpoolState) {
        lost &+= other.lost
        settled.merge(other.settled) { $0.union($1) }
    }

    package var octets: [UInt8] {
        var writer = WireWriter()
        writer.write(contentsOf: Self.mark)
        writer.write(UInt32(0))
        writer.write(lost)
        // The newest are kept: of the oldest, the files go soonest.
        let boots = settled.sorted { $0.key < $1.key }.suffix(Self.mostBoots)
        writer.write(UInt32(boots.count))
        var room = Self.mostRanges
        for (boot, sequences) in boots {
            let ranges = sequences.ranges.prefix(room)
            room -= ranges.count
            writer.write(boot.ordinal)
            writer.write(boot.nonce)
            writer.write(UInt32(ranges.count))
            for range in ranges {
                writer.write(range.lowerBound)
                writer.write(range.upperBound)
            }
        }
        let checksum = CRC32(.castagnoli, writer.bytes.dropFirst(8)).value
        writer.overwrite(checksum, at: 4)
        return writer.bytes
    }

    package init(parsing octets: [UInt8]) throws(WireError) {
        self = try octets.withOctets { (bytes) throws(WireError) in
            var reader = WireReader(bytes)
            return try SpoolState(from: &reader)
        }
    }

    private init(from reader: inout WireReader) throws(WireError) {
        for expected in Self.mark {
            let octet: UInt8 = try reader.read()
            guard octet == expected else { throw WireError(.invalid("mark", UInt64(octet)), at: reader.offset - 1) }
        }
        let checksum: UInt32 = try reader.read()
        guard checksum == CRC32(.castagnoli, reader.bytes[reader.offset...]).value else {
            throw WireError(.invalid("checksum", UInt64(checksum)), at: 4)
        }
        lost = try reader.read()
        guard lost >= 0 else { throw WireError(.invalid("lost", UInt64(bitPattern: lost)), at: 8) }
        var room = Self.mostRanges
        for _ in 0..<(try Self.count(from: &reader, limit: Self.mostBoots)) {
            let boot = BootID(ordinal: try reader.read(), nonce: try reader.read())
            let count = try Self.count(from: &reader, limit: room)
            room -= count
            settled[boot, default: RangeSet()].formUnion(try Self.ranges(count, from: &reader))
        }
        guard reader.isAtEnd else { throw WireError(.invalid("end", UInt64(reader.remaining)), at: reader.offset) }
    }

    private static func count(from reader: inout WireReader, limit: Int) throws(WireError) -> Int {
        let start = reader.offset
        let count: UInt32 = try reader.read()
        guard count <= UInt32(limit) else { throw WireError(.limit("count", UInt64(count)), at: start) }
        return Int(count)
    }

    private static func ranges(_ count: Int, from reader: inout WireReader) throws(WireError) -> RangeSet<UInt64> {
        var ranges = RangeSet<UInt64>()
        for _ in 0..<count {
            let start = reader.offset
            let (first, end): (UInt64, UInt64) = (try reader.read(), try reader.read())
            guard SpoolRecord.sequences.contains(first), first < end, SpoolRecord.sequences.contains(end - 1) else {
                throw WireError(.invalid("range", first), at: start)
            }
            ranges.insert(contentsOf: first..<end)
        }
        return ranges
    }
}
