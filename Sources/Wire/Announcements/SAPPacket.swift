// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// The Session Announcement Protocol (RFC 2974 §3): which session a datagram announces or deletes, and in what form.
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// +-----+-+-+-+-+-+---------------+-------------------------------+
/// | V=1 |A|R|T|E|C|   auth len    |      identifier hash          |
/// +-----+-+-+-+-+-+---------------+-------------------------------+
/// |        originating source: 32 bits (A=0) or 128 (A=1)         :
/// +---------------------------------------------------------------+
/// |        authentication data, auth len × 32 bits                :
/// +---------------------------------------------------------------+
/// |        payload type: MIME type, NUL; may be absent            :
/// +---------------------------------------------------------------+
/// |        payload                                                :
/// +---------------------------------------------------------------+
/// ```
/// T: deletion. R is ignored, E (encrypted) and C (compressed) are refused. Authentication data are skipped, not checked.
public struct SAPPacket: Equatable, Sendable {
    public enum Kind: Sendable { case announcement, deletion }

    public var kind: Kind
    /// Names the payload; with `origin` it names the session.
    public var identifierHash: UInt16
    public var origin: NumericAddress
    public var authentication: Range<Int>
    public var payloadType: SAPPayloadType
    public var payload: Range<Int>

    /// - Parameter bytes: one datagram; ranges count from its start.
    /// - Throws: `WireError`: `.truncated`, `.unsupported` (version, encryption, compression), `.invalid` payload type.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        try self.init(from: &reader)
    }

    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let flags: UInt8 = try reader.read()
        guard flags >> 5 == 1 else { throw WireError(.unsupported("SAP version", UInt64(flags >> 5)), at: start) }
        guard flags & 0x02 == 0 else { throw WireError(.unsupported("SAP encryption", 1), at: start) }
        guard flags & 0x01 == 0 else { throw WireError(.unsupported("SAP compression", 1), at: start) }
        kind = flags & 0x04 == 0 ? .announcement : .deletion
        let authenticationLength: UInt8 = try reader.read()
        identifierHash = try reader.read()
        if flags & 0x10 == 0 {
            origin = NumericAddress(v4: try reader.read())
        } else {
            let high: UInt64 = try reader.read()
            origin = NumericAddress(v6: high, try reader.read())
        }
        authentication = try reader.take(Int(authenticationLength) * 4)
        payloadType = try SAPPayloadType(from: &reader, isOptional: kind == .deletion)
        payload = reader.takeRest()
    }

    /// One datagram. The hash is made from the payload, so a deletion of equal payload names the same session.
    public static func encoded(
        _ kind: Kind = .announcement, origin: NumericAddress, payloadType: SAPPayloadType, payload: [UInt8]
    ) -> [UInt8] {
        var writer = WireWriter(reserving: 64 + payload.count)
        let flags: UInt8 = 0x20 | (origin.isIPv6 ? 0x10 : 0) | (kind == .deletion ? 0x04 : 0)
        writer.write(flags)
        writer.write(UInt8(0))
        writer.write(identifierHash(of: payload))
        writer.write(contentsOf: origin.octets)
        writer.write(contentsOf: payloadType.mimeType.utf8)
        writer.write(UInt8(0))
        writer.write(contentsOf: payload)
        return writer.bytes
    }

    /// 1...65535 (0 is what SAPv0 sent): FNV-1a of 32 bits, folded.
    public static func identifierHash(of payload: [UInt8]) -> UInt16 {
        let hash = payload.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return max(1, UInt16(truncatingIfNeeded: hash >> 16 ^ hash))
    }
}
