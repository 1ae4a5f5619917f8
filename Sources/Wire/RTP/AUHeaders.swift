// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The AU header section of one packet (RFC 3640 3.2.1), read one header at a time.
///
///     +----------------------+-------------------+------------------------+-----+---------+
///     | AU-headers-length 16 | size, index first | size, index-delta next | ... | padding |
///     +----------------------+-------------------+------------------------+-----+---------+
struct AUHeaders {
    private let bytes: UnsafeRawBufferPointer
    private let framing: AACFraming
    private let start: Int
    /// Bits read, and all that there are.
    private var position = 0
    private let count: Int

    /// Takes the section from the reader, up to where the data begin.
    init(from reader: inout WireReader, framing: AACFraming) throws(WireError) {
        let length: UInt16 = try reader.read()
        let range = try reader.take((Int(length) + 7) / 8)
        bytes = reader.bytes
        self.framing = framing
        start = range.lowerBound
        count = Int(length)
    }

    var isAtEnd: Bool { position >= count }

    /// The next unit's size in octets; nil at the end.
    /// - Throws: `.unsupported` for an index that tells of interleaving.
    mutating func next() throws(WireError) -> Int? {
        let indexLength = position == 0 ? framing.indexLength : framing.indexDeltaLength
        guard !isAtEnd else { return nil }
        let needed = framing.sizeLength + indexLength
        guard needed <= count - position else {
            throw WireError(.truncated(needed: needed, available: count - position), at: start + position / 8)
        }
        let size = bits(framing.sizeLength)
        let index = bits(indexLength)
        guard index == 0 else { throw WireError(.unsupported("AU-Index", UInt64(index)), at: start + position / 8) }
        return size
    }

    /// - Precondition: there are so many, and at most 16.
    private mutating func bits(_ width: Int) -> Int {
        var value = 0
        for _ in 0..<width {
            value = value << 1 | Int(bytes[start + position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
