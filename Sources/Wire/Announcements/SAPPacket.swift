// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// A packet of the Session Announcement Protocol (RFC 2974 §3). It announces or deletes a session.
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
/// one datagram cannot be announced. A datagram that was cut cannot be told from a whole one here.
public struct SAPPacket: Equatable, Sendable {
    public enum Kind: Sendable { case announcement, deletion }

    /// The form of payload type and payload. They are compressed or encrypted together (§6).
    public enum Form: Hashable, Sendable {
        case plain(SAPPayloadType)
        /// C: compressed by zlib (RFC 1950). `body(inflated:)` reads the content.
        case compressed
        /// E: encrypted, whether compressed or not. It cannot be read here.
        case encrypted
    }

    /// Octets that a compressed payload may inflate to; more than any payload that is read, including its type.
    public static let mostInflatedOctets = 16_384

    public var kind: Kind
    /// Identifies the payload; together with `origin` it identifies the session.
    public var identifierHash: UInt16
    public var origin: NumericAddress
    public var authentication: Range<Int>
    public var form: Form
    /// Range of the payload, in its form.
    public var payload: Range<Int>

    /// Nil if the payload is compressed or encrypted.
    public var payloadType: SAPPayloadType? { if case .plain(let type) = form { type } else { nil } }

    /// - Parameter bytes: one datagram. Ranges count from its start.
    /// - Throws: `.truncated`; `.unsupported` for another version; `.invalid` or `.limit` for the payload type.
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

    /// The type and the payload in an inflated payload.
    /// - Parameter bytes: the inflated octets, at most `mostInflatedOctets`. The range counts from their start.
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

    /// Encodes one datagram. The hash is computed from the payload, so a deletion with an equal payload identifies the
    /// same session.
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

    /// The hash of a payload, 1...65535 (SAPv0 sent 0): 32-bit FNV-1a, folded to 16 bits.
    public static func identifierHash(of payload: [UInt8]) -> UInt16 {
        let hash = payload.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return max(1, UInt16(truncatingIfNeeded: hash >> 16 ^ hash))
    }
}
