// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The AU Header Section of one packet (RFC 3640 3.2.1), read one header at a time.
///
///     +----------------------+-------------------+------------------------+-----+---------+
///     | AU-headers-length 16 | size, index first | size, index-delta next | ... | padding |
///     +----------------------+-------------------+------------------------+-----+---------+
struct AUHeaders {
    private let framing: AACFraming
    private var reader: BitReader
    private var isFirst = true

    /// Takes the section from the reader, which is left at the beginning of the data.
    init(from reader: inout WireReader, framing: AACFraming) throws(WireError) {
        let length: UInt16 = try reader.read()
        let range = try reader.take((Int(length) + 7) / 8)
        self.framing = framing
        self.reader = BitReader(reader.bytes, in: range, count: Int(length))
    }

    var isAtEnd: Bool { reader.isAtEnd }

    /// The next unit's size in octets; nil at the end.
    /// - Throws: `.unsupported` for an index that means interleaving.
    mutating func next() throws(WireError) -> Int? {
        guard !isAtEnd else { return nil }
        let size = Int(try reader.read(framing.sizeLength))
        let index = try reader.read(isFirst ? framing.indexLength : framing.indexDeltaLength)
        isFirst = false
        guard index == 0 else { throw WireError(.unsupported("AU-Index", UInt64(index)), at: reader.offset) }
        return size
    }
}
