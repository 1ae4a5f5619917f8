// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The Opus packets in the data of one PES packet ("Carriage of Opus in MPEG-2 transport streams").
///
///     +-------------+-+-+-+---+-----------------+------------------+----------------+----------------+--------+
///     | 11: 0x3FF   |S|E|X|00 | size: FF ... n  | start trim16 if S| end trim16 if E| extension if X | packet |
///     +-------------+-+-+-+---+-----------------+------------------+----------------+----------------+--------+
///                               octets added up                      length and so many octets
struct OpusUnits {
    private static let prefix: UInt16 = 0x3FF << 5

    private var reader: WireReader

    init(_ bytes: UnsafeRawBufferPointer) { reader = WireReader(bytes) }

    /// The range of the next Opus packet, never empty; nil at the end.
    mutating func next() throws(WireError) -> Range<Int>? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.offset
        let head: UInt16 = try reader.read()
        guard head >> 5 == Self.prefix >> 5 else {
            throw WireError(.invalid("control_header_prefix", UInt64(head >> 5)), at: start)
        }
        var size = 0
        while true {
            let octet: UInt8 = try reader.read()
            size += Int(octet)
            if octet != 0xFF { break }
        }
        if head & 0x10 != 0 { try reader.skip(2) }
        if head & 0x08 != 0 { try reader.skip(2) }
        if head & 0x04 != 0 {
            let length: UInt8 = try reader.read()
            try reader.skip(Int(length))
        }
        guard size > 0 else { throw WireError(.invalid("au_size", 0), at: start + 2) }
        return try reader.take(size)
    }

    /// Octets of the control header without options.
    static func headOctets(ofPacket count: Int) -> Int { 2 + count / 0xFF + 1 }

    /// - Parameter count: octets of the packet that follows.
    static func writeHead(ofPacket count: Int, to out: inout WireWriter) {
        out.write(prefix)
        out.write(repeating: 0xFF, count: count / 0xFF)
        out.write(UInt8(count % 0xFF))
    }
}
