// SPDX-License-Identifier: Apache-2.0
import Bytes

/// A piece of a message in an RTP packet of a data channel. `config/DATA.md` has the rules.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------+---------------+---------------+---------------+
///     |      'T'      |      'D'      |  version (1)  |  type length  |
///     +---------------+---------------+---------------+---------------+
///     |                       message sequence                        |
///     +---------------------------------------------------------------+
///     |           octets of the message (1...65 536)                  |
///     +---------------------------------------------------------------+
///     |           offset of this piece                                |
///     +---------------------------------------------------------------+
///     |           CRC-32 of content type and message                  |
///     +---------------------------------------------------------------+
///     |  content type (of the piece at offset 0 only), then the piece |
///     +---------------------------------------------------------------+
public struct MessageFragment: Hashable, Sendable {
    public static let headerOctets = 20
    /// Octets of the longest content type.
    public static let mostTypeOctets = 127
    static let magic: UInt16 = 0x5444
    static let version: UInt8 = 1

    public let sequence: UInt32
    /// Octets of the whole message, 1...65 536.
    public let messageOctets: Int
    /// Offset of the piece in the message. The piece ends within the message.
    public let offset: Int
    /// CRC-32 of content type and message.
    public let checksum: UInt32
    /// Range in the bytes given; empty for all but the first piece.
    public let contentType: Range<Int>
    /// Range in the bytes given; never empty.
    public let piece: Range<Int>

    /// - Parameter bytes: a whole RTP payload.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let magic: UInt16 = try reader.read()
        guard magic == Self.magic else { throw WireError(.invalid("magic", UInt64(magic)), at: 0) }
        let version: UInt8 = try reader.read()
        guard version == Self.version else { throw WireError(.unsupported("version", UInt64(version)), at: 2) }
        let typeOctets: UInt8 = try reader.read()
        sequence = try reader.read()
        let total: UInt32 = try reader.read()
        guard 1...UInt32(DataMessage.mostOctets) ~= total else {
            throw WireError(.limit("message octets", UInt64(total)), at: 8)
        }
        let offset: UInt32 = try reader.read()
        guard offset < total else { throw WireError(.invalid("offset", UInt64(offset)), at: 12) }
        checksum = try reader.read()
        guard typeOctets <= UInt8(Self.mostTypeOctets), typeOctets == 0 || offset == 0 else {
            throw WireError(.invalid("type length", UInt64(typeOctets)), at: 3)
        }
        contentType = try reader.take(Int(typeOctets))
        for place in contentType where !Self.isAllowedInType(bytes[place]) {
            throw WireError(.invalid("content type", UInt64(bytes[place])), at: place)
        }
        guard !reader.isAtEnd else { throw WireError(.truncated(needed: 1, available: 0), at: reader.offset) }
        guard reader.remaining <= Int(total - offset) else {
            throw WireError(.limit("piece octets", UInt64(reader.remaining)), at: reader.offset)
        }
        piece = reader.takeRest()
        messageOctets = Int(total)
        self.offset = Int(offset)
    }

    /// Whether the octet is printable ASCII.
    static func isAllowedInType(_ octet: UInt8) -> Bool { 0x20...0x7E ~= octet }

    static func writeHeader(
        sequence: UInt32, messageOctets: Int, offset: Int, checksum: UInt32, contentType: some Collection<UInt8>,
        to out: inout WireWriter
    ) {
        out.write(magic)
        out.write(version)
        out.write(UInt8(contentType.count))
        out.write(sequence)
        out.write(UInt32(messageOctets))
        out.write(UInt32(offset))
        out.write(checksum)
        out.write(contentsOf: contentType)
    }
}
