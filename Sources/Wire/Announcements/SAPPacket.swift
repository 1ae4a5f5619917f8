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
/// T: deletion. R is ignored. Authentication data are skipped, not checked. SAP has no fragments: what does not fit in
/// one datagram cannot be announced, and a datagram that was cut is not told from a whole one here.
public struct SAPPacket: Equatable, Sendable {
    public enum Kind: Sendable { case announcement, deletion }

    /// How payload type and payload lie in the datagram; both together are what is compressed or encrypted (§6).
    public enum Form: Hashable, Sendable {
        case plain(SAPPayloadType)
        /// C: by zlib (RFC 1950). `body(inflated:)` reads what is inside.
        case compressed
        /// E: of compressed ones too. Nobody but its group can read it.
        case encrypted
    }

    /// How much a compressed payload may hold; more than any that is read, type included.
    public static let mostInflatedOctets = 16_384

    public var kind: Kind
    /// Names the payload; with `origin` it names the session.
    public var identifierHash: UInt16
    public var origin: NumericAddress
    public var authentication: Range<Int>
    public var form: Form
    /// As it lies there, in its form.
    public var payload: Range<Int>

    /// Nil when it cannot be told without more ado.
    public var payloadType: SAPPayloadType? { if case .plain(let type) = form { type } else { nil } }

    /// - Parameter bytes: one datagram; ranges count from its start.
    /// - Throws: `WireError`: `.truncated`, `.unsupported` version, `.invalid` payload type.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        try self.init(from: &reader)
    }

    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let flags: UInt8 = try reader.read()
        guard flags >> 5 == 1 else { throw WireError(.unsupported("SAP version", UInt64(flags >> 5)), at: start) }
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
        switch flags & 0x03 {
        case 0: form = .plain(try SAPPayloadType(from: &reader, isOptional: kind == .deletion))
        case 1: form = .compressed
        default: form = .encrypted
        }
        payload = reader.takeRest()
    }

    /// What was inside a compressed payload.
    /// - Parameter bytes: inflated, at most `mostInflatedOctets`; the range counts from their start.
    public static func body(
        inflated bytes: UnsafeRawBufferPointer
    ) throws(WireError) -> (type: SAPPayloadType, payload: Range<Int>) {
        guard bytes.count <= mostInflatedOctets else {
            throw WireError(.limit("SAP inflated length", UInt64(bytes.count)), at: 0)
        }
        var reader = WireReader(bytes)
        let type = try SAPPayloadType(from: &reader, isOptional: false)
        return (type, reader.takeRest())
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
