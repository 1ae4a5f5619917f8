// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a section in the file of a bundle: what `Bundle` shows.
struct BundleHeader {
    static let octets = 20
    /// Where the check sum stands.
    static let checksumPlace = 16

    /// Four capital letters, digits or blanks.
    var kind: [UInt8]
    var flow: UInt8
    var piece: UInt16
    /// Octets behind the header.
    var length: Int
    /// Octets that these hold, not compressed.
    var plain: Int
    var checksum: UInt32 = 0

    init(_ kind: [UInt8], flow: UInt8, piece: UInt16, length: Int, plain: Int) {
        (self.kind, self.flow, self.piece, self.length, self.plain) = (kind, flow, piece, length, plain)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        kind = Array(reader.bytes[try reader.take(4)])
        flow = try reader.read()
        let reserved: UInt8 = try reader.read()
        piece = try reader.read()
        length = Int(try reader.read(UInt32.self))
        plain = Int(try reader.read(UInt32.self))
        checksum = try reader.read()
        guard kind.allSatisfy({ (0x20...0x5F).contains($0) }), reserved == 0, plain <= BundleSection.mostOctets,
            length <= Bundle.mostOctets
        else { throw WireError(.invalid("section header", UInt64(plain)), at: start) }
    }

    func write(to writer: inout WireWriter) {
        writer.write(contentsOf: kind)
        writer.write(flow)
        writer.write(UInt8(0))
        writer.write(piece)
        writer.write(UInt32(truncatingIfNeeded: length))
        writer.write(UInt32(truncatingIfNeeded: plain))
        writer.write(checksum)
    }
}
