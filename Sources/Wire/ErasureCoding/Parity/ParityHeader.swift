// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The headers of a parity packet (SMPTE ST 2022-1 §8; RFC 2733): the RTP header, whose P, X, CC and M belong to the
/// sum, and a header of sixteen octets after it. The sum of the payloads follows.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---+-+-+-------+-+-------------+-------------------------------+
///     |V=2|P|X|  CC   |M|     PT      |        sequence number        |
///     +---+-+-+-------+-+-------------+-------------------------------+
///     |                           timestamp                           |
///     +---------------------------------------------------------------+
///     |                             SSRC                              |
///     +-------------------------------+-------------------------------+
///     |       SNBase, low bits        |        length recovery        |
///     +-+-------------+---------------+-------------------------------+
///     |E| PT recovery |                     mask                      |
///     +-+-------------+-----------------------------------------------+
///     |                      timestamp recovery                       |
///     +-+-+-----+-----+---------------+---------------+---------------+
///     |N|D|type |index|    offset     |      NA       |  SNBase, ext  |
///     +-+-+-----+-----+---------------+---------------+---------------+
///
/// The packets summed are SNBase, SNBase + offset … SNBase + (NA - 1) × offset. Mask and SNBase's extension are written
/// as 0 and ignored when read, because 16-bit sequence numbers do not need them.
@frozen
public struct ParityHeader: Hashable, Sendable {
    /// Octets of both headers.
    @inlinable public static var size: Int { 28 }
    /// The payload type that all known peers send.
    @inlinable public static var usualPayloadType: UInt8 { 96 }

    /// Determined by D of the header, not by the port.
    public var flow: ParityFlow
    /// Payload type of the parity packet itself, 0...127, as are `sequence`, `timestamp` and `ssrc`.
    public var payloadType: UInt8 = ParityHeader.usualPayloadType
    public var sequence: UInt16
    public var timestamp: UInt32
    public var ssrc: UInt32 = 0
    /// Sequence number of the first packet summed.
    public var base: UInt16
    /// Distance from one packet summed to the next, 1...255: 1 in a row, L in a column.
    public var offset: UInt8
    /// Number of packets summed, NA, 1...255: L in a row, D in a column.
    public var count: UInt8
    /// Sum of P, X and CC, 0...63.
    public var flagsRecovery: UInt8 = 0
    /// Sum of M and PT.
    public var typeRecovery: UInt8 = 0
    public var timestampRecovery: UInt32 = 0
    /// Sum of the packets' lengths without the fixed header of twelve octets.
    public var lengthRecovery: UInt16 = 0

    public init(
        flow: ParityFlow, sequence: UInt16, timestamp: UInt32, base: UInt16, offset: UInt8, count: UInt8
    ) {
        self.flow = flow
        self.sequence = sequence
        self.timestamp = timestamp
        self.base = base
        self.offset = offset
        self.count = count
    }

    /// - Throws: `.truncated`; `.unsupported` for another RTP version, a header of RFC 2733 (E = 0), a further
    ///   extension (N = 1) and a code other than exclusive or; `.invalid` for an offset or a count of 0.
    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let first: UInt32 = try reader.read()
        guard first >> 30 == 2 else { throw WireError(.unsupported("RTP version", UInt64(first >> 30)), at: start) }
        flagsRecovery = UInt8(truncatingIfNeeded: first >> 24) & 0x3F
        payloadType = UInt8(truncatingIfNeeded: first >> 16) & 0x7F
        sequence = UInt16(truncatingIfNeeded: first)
        timestamp = try reader.read()
        ssrc = try reader.read()
        base = try reader.read()
        lengthRecovery = try reader.read()
        let types: UInt32 = try reader.read()
        guard types >> 31 == 1 else { throw WireError(.unsupported("E", 0), at: reader.offset &- 4) }
        typeRecovery = UInt8(truncatingIfNeeded: first >> 16) & 0x80 | UInt8(truncatingIfNeeded: types >> 24) & 0x7F
        timestampRecovery = try reader.read()
        let kind: UInt8 = try reader.read()
        guard kind & 0x80 == 0 else { throw WireError(.unsupported("N", 1), at: reader.offset &- 1) }
        guard kind & 0x38 == 0 else {
            throw WireError(.unsupported("parity type", UInt64(kind >> 3 & 7)), at: reader.offset &- 1)
        }
        flow = kind & 0x40 == 0 ? .columns : .rows
        offset = try reader.read()
        guard offset > 0 else { throw WireError(.invalid("parity offset", 0), at: reader.offset &- 1) }
        count = try reader.read()
        guard count > 0 else { throw WireError(.invalid("parity NA", 0), at: reader.offset &- 1) }
        try reader.skip(1)
    }

    public func write(to out: inout WireWriter) {
        precondition(payloadType < 0x80 && flagsRecovery < 0x40 && offset > 0 && count > 0)
        out.write(0x80 | flagsRecovery)
        out.write(typeRecovery & 0x80 | payloadType)
        out.write(sequence)
        out.write(timestamp)
        out.write(ssrc)
        out.write(base)
        out.write(lengthRecovery)
        out.write(0x8000_0000 | UInt32(typeRecovery & 0x7F) << 24)
        out.write(timestampRecovery)
        out.write(UInt8(flow == .rows ? 0x40 : 0))
        out.write(offset)
        out.write(count)
        out.write(UInt8(0))
    }
}
