// SPDX-License-Identifier: Apache-2.0
import Bytes

/// An echo request or its reply, of ICMP (RFC 792, page 14) or ICMPv6 (RFC 4443 §4.1, §4.2).
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |     type      |   code = 0    |           checksum            |
///     |          identifier           |        sequence number        |
///     |     data …
///
/// The checksum is the kernel's: it writes that of a request, and passes on no reply whose own is wrong.
public struct EchoMessage: Equatable, Sendable {
    public enum Kind: Equatable, Sendable, CaseIterable { case request, reply }

    /// The most octets of data that are read. A host sends back what it was sent.
    public static let dataLimit = 1_024

    public let kind: Kind
    public let isIPv6: Bool
    /// The kernel writes its own into a request, by which it knows the socket that a reply belongs to.
    public var identifier: UInt16
    public var sequence: UInt16
    public var data: [UInt8]

    public init(_ kind: Kind, isIPv6: Bool, identifier: UInt16 = 0, sequence: UInt16, data: [UInt8]) {
        self.kind = kind
        self.isIPv6 = isIPv6
        self.identifier = identifier
        self.sequence = sequence
        self.data = data
    }

    /// Reads a message that begins with its type.
    public init(_ bytes: UnsafeRawBufferPointer, isIPv6: Bool) throws(WireError) {
        var reader = WireReader(bytes)
        let type: UInt8 = try reader.read()
        guard let kind = Kind.allCases.first(where: { $0.type(isIPv6: isIPv6) == type }) else {
            throw WireError(.unsupported("ICMP type", UInt64(type)), at: 0)
        }
        let code: UInt8 = try reader.read()
        guard code == 0 else { throw WireError(.invalid("code of an echo", UInt64(code)), at: 1) }
        try reader.skip(2)
        identifier = try reader.read()
        sequence = try reader.read()
        guard reader.remaining <= Self.dataLimit else {
            throw WireError(.limit("octets of data", UInt64(reader.remaining)), at: reader.offset)
        }
        data = Array(bytes[reader.takeRest()])
        self.kind = kind
        self.isIPv6 = isIPv6
    }

    /// The message without a checksum.
    public var octets: [UInt8] {
        var writer = WireWriter(reserving: 8 + data.count)
        writer.write(kind.type(isIPv6: isIPv6))
        writer.write(UInt8(0))
        writer.write(UInt16(0))
        writer.write(identifier)
        writer.write(sequence)
        writer.write(contentsOf: data)
        return writer.bytes
    }
}

extension EchoMessage.Kind {
    func type(isIPv6: Bool) -> UInt8 {
        switch self {
        case .request: isIPv6 ? 128 : 8
        case .reply: isIPv6 ? 129 : 0
        }
    }
}
