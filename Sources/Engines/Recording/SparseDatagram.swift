// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A datagram of which ranges were kept.
///
///     length:16  count:16  count × (start:16  length:16)  the octets of the ranges
///
/// `length` is that of the whole datagram. All integers are big-endian.
enum SparseDatagram {
    /// The longest datagram.
    static let mostOctets = 65_535

    /// Octets of the record.
    static func octets(of kept: borrowing KeptRanges) -> Int { 4 + 4 * kept.count + kept.octets }

    /// Writes a record without allocating.
    static func write(
        _ bytes: UnsafeRawBufferPointer, _ kept: borrowing KeptRanges, to ring: OctetRing,
        _ writing: inout OctetRing.Writing
    ) {
        ring.put(word(bytes.count, kept.count), &writing)
        for index in 0..<kept.count { ring.put(word(kept[index].start, kept[index].end - kept[index].start), &writing) }
        for index in 0..<kept.count {
            ring.put(UnsafeRawBufferPointer(rebasing: bytes[kept[index].start..<kept[index].end]), &writing)
        }
    }

    private static func word(_ first: Int, _ second: Int) -> UInt32 {
        (UInt32(truncatingIfNeeded: first) << 16 | UInt32(truncatingIfNeeded: second) & 0xFFFF).bigEndian
    }

    /// The datagram with zeros in its gaps.
    static func read(_ record: UnsafeRawBufferPointer) throws(WireError) -> [UInt8] {
        var reader = WireReader(record)
        let length: UInt16 = try reader.read()
        let count: UInt16 = try reader.read()
        var ranges: [Range<Int>] = []
        for _ in 0..<count {
            let place = reader.offset
            let start: UInt16 = try reader.read()
            let octets: UInt16 = try reader.read()
            guard Int(start) + Int(octets) <= Int(length) else {
                throw WireError(.invalid("range of a datagram", UInt64(start)), at: place)
            }
            ranges.append(Int(start)..<Int(start) + Int(octets))
        }
        var datagram = [UInt8](repeating: 0, count: Int(length))
        for range in ranges {
            let kept = try reader.take(range.count)
            datagram.replaceSubrange(range, with: record[kept])
        }
        return datagram
    }
}
