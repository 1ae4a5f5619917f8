// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of an RTP packet (RFC 3550 5.1), and the range of its payload.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---+-+-+-------+-+-------------+-------------------------------+
///     |V=2|P|X|  CC   |M|     PT      |        sequence number        |
///     +---+-+-+-------+-+-------------+-------------------------------+
///     |                           timestamp                           |
///     +---------------------------------------------------------------+
///     |                             SSRC                              |
///     +---------------------------------------------------------------+
///     |                        CSRC, CC times                         |
///     +-------------------------------+-------------------------------+
///     |    extension's profile        |     length, 32-bit words      |  if X
///     +-------------------------------+-------------------------------+
@frozen
public struct RTPHeader: Sendable, Equatable {
    /// Octets of the fixed header, without CSRC and extension.
    @inlinable public static var size: Int { 12 }

    public let hasMarker: Bool
    /// Payload type, 0...127.
    public let payloadType: UInt8
    public let sequence: UInt16
    public let timestamp: UInt32
    public let ssrc: UInt32
    /// Number of CSRCs after the fixed header, 0...15.
    public let contributorCount: Int
    /// Content of the extension as a range of the bytes given; empty if there is none.
    public let extensionData: Range<Int>
    /// Payload without padding, as a range of the bytes given.
    public let payload: Range<Int>

    /// - Parameter bytes: one whole packet.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        try self.init(from: &reader)
    }

    /// Reads everything that `reader` has as one packet.
    /// - Throws: `.unsupported` for another version, `.invalid` for padding of 0 octets or longer than the payload.
    @inlinable
    public init(from reader: inout WireReader) throws(WireError) {
        let start = reader.offset
        let first: UInt32 = try reader.read()
        guard first >> 30 == 2 else { throw WireError(.unsupported("RTP version", UInt64(first >> 30)), at: start) }
        hasMarker = first & 0x80_0000 != 0
        payloadType = UInt8(truncatingIfNeeded: first >> 16) & 0x7F
        sequence = UInt16(truncatingIfNeeded: first)
        timestamp = try reader.read()
        ssrc = try reader.read()
        contributorCount = Int(first >> 24 & 0xF)
        try reader.skip(contributorCount &* 4)
        if first & 0x1000_0000 != 0 {
            try reader.skip(2)
            let words: UInt16 = try reader.read()
            extensionData = try reader.take(Int(words) &* 4)
        } else {
            extensionData = reader.offset..<reader.offset
        }
        let rest = reader.takeRest()
        guard first & 0x2000_0000 != 0 else {
            payload = rest
            return
        }
        let padding = rest.isEmpty ? 0 : Int(reader.bytes[rest.upperBound &- 1])
        guard padding > 0, padding <= rest.count else {
            throw WireError(.invalid("padding", UInt64(padding)), at: rest.upperBound)
        }
        payload = rest.lowerBound..<rest.upperBound &- padding
    }

    /// Writes a header without CSRC, extension and padding.
    @inlinable
    public static func write(
        payloadType: UInt8, hasMarker: Bool = false, sequence: UInt16, timestamp: UInt32, ssrc: UInt32,
        to out: inout WireWriter
    ) {
        precondition(payloadType < 0x80)
        out.write(UInt8(0x80))
        out.write((hasMarker ? 0x80 : 0) | payloadType)
        out.write(sequence)
        out.write(timestamp)
        out.write(ssrc)
    }
}
