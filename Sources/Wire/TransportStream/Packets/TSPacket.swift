// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of a transport stream packet (ISO/IEC 13818-1 2.4.3.2). The payload is not copied.
///
///      0               1               2               3
///     +---------------+-+-+-+-------------------------+---+---+-------+
///     |  sync = 0x47  |E|U|P|           PID           |TSC|AFC|  CC   |
///     +---------------+-+-+-+-------------------------+---+---+-------+
///     E transport_error_indicator        TSC transport_scrambling_control
///     U payload_unit_start_indicator     AFC 1 payload, 2 adaptation field, 3 both
@frozen
public struct TSPacket: Sendable, Equatable {
    /// Octets of a packet. The forms of 192 and 204 octets are not supported.
    @inlinable public static var size: Int { 188 }
    @inlinable public static var syncByte: UInt8 { 0x47 }

    @usableFromInline let header: UInt32
    public let adaptation: AdaptationField?
    /// The payload as a range of the bytes given; empty if there is none.
    public let payload: Range<Int>

    /// Reads the next 188 octets. They are consumed even if they are not a packet.
    @inlinable
    public init(from reader: inout WireReader) throws(WireError) {
        let place = try reader.take(TSPacket.size)
        try self.init(reader.bytes, at: place.lowerBound)
    }

    /// - Throws: `.truncated`, or `.invalid` for a wrong sync byte, the reserved adaptation_field_control 0 and an
    ///   adaptation field longer than the packet.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) throws(WireError) {
        guard offset >= 0, offset <= bytes.count &- TSPacket.size else {
            throw WireError(
                .truncated(needed: TSPacket.size, available: max(0, bytes.count &- max(0, offset))), at: offset)
        }
        var reader = WireReader(bytes, in: offset..<offset &+ TSPacket.size)
        header = try reader.read()
        guard header >> 24 == UInt32(TSPacket.syncByte) else {
            throw WireError(.invalid("sync_byte", UInt64(header >> 24)), at: offset)
        }
        switch header & 0x30 {
        case 0x10: adaptation = nil
        case 0x20, 0x30:
            let length: UInt8 = try reader.read()
            let limit: UInt8 = header & 0x10 == 0 ? 183 : 182
            guard length <= limit else {
                throw WireError(.invalid("adaptation_field_length", UInt64(length)), at: offset &+ 4)
            }
            var field = try reader.reader(of: Int(length))
            adaptation = try AdaptationField(from: &field)
        default: throw WireError(.invalid("adaptation_field_control", 0), at: offset &+ 3)
        }
        payload = header & 0x10 == 0 ? reader.end..<reader.end : reader.takeRest()
    }

    @inlinable public var pid: UInt16 { UInt16(truncatingIfNeeded: header >> 8) & 0x1FFF }
    @inlinable public var hasTransportError: Bool { header & 0x80_0000 != 0 }
    /// payload_unit_start_indicator: the payload begins with a PES packet, or with a pointer_field to a section.
    @inlinable public var startsUnit: Bool { header & 0x40_0000 != 0 }
    @inlinable public var isScrambled: Bool { header & 0xC0 != 0 }
    @inlinable public var hasPayload: Bool { header & 0x10 != 0 }
    @inlinable public var continuityCounter: UInt8 { UInt8(truncatingIfNeeded: header & 0xF) }

    /// discontinuity_indicator: the sender announces a jump of the time base or of the continuity counter.
    @inlinable public var isDiscontinuity: Bool { adaptation?.isDiscontinuity ?? false }
    @inlinable public var isRandomAccess: Bool { adaptation?.isRandomAccess ?? false }
    @inlinable public var pcr: UInt64? { adaptation?.pcr }
}
