// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The header of one transport stream packet (ISO/IEC 13818-1 2.4.3.2); the payload stays where it is.
///
///      0               1               2               3
///     +---------------+-+-+-+-------------------------+---+---+-------+
///     |  sync = 0x47  |E|U|P|           PID           |TSC|AFC|  CC   |
///     +---------------+-+-+-+-------------------------+---+---+-------+
///     E transport_error_indicator        TSC transport_scrambling_control
///     U payload_unit_start_indicator     AFC 1 payload, 2 adaptation field, 3 both
@frozen
public struct TSPacket: Sendable, Equatable {
    /// Octets of every packet; the 192 and 204 octet forms are not read.
    @inlinable public static var size: Int { 188 }
    @inlinable public static var syncByte: UInt8 { 0x47 }

    @usableFromInline let header: UInt32
    public let adaptation: AdaptationField?
    /// Where the payload is in the bytes given; empty when there is none.
    public let payload: Range<Int>

    /// Takes the next 188 octets, which are consumed even when they are no packet.
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
    /// payload_unit_start_indicator: a PES packet starts here, or a pointer_field leads to a section.
    @inlinable public var startsUnit: Bool { header & 0x40_0000 != 0 }
    @inlinable public var isScrambled: Bool { header & 0xC0 != 0 }
    @inlinable public var hasPayload: Bool { header & 0x10 != 0 }
    @inlinable public var continuityCounter: UInt8 { UInt8(truncatingIfNeeded: header & 0xF) }

    /// discontinuity_indicator: the time base or the continuity counter may jump here, on purpose.
    @inlinable public var isDiscontinuity: Bool { adaptation?.isDiscontinuity ?? false }
    @inlinable public var isRandomAccess: Bool { adaptation?.isRandomAccess ?? false }
    @inlinable public var pcr: UInt64? { adaptation?.pcr }
}
