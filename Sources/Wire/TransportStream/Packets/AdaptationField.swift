// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The adaptation field of a packet (ISO/IEC 13818-1 2.4.3.4).
///
///     +------+-+-+-+-+-+-+-+-+----------+-----------+--------+--------------+-----------+----------+
///     |length|D|R|S|P|O|C|T|E| PCR 48   | OPCR 48   | splice | len, private | extension | stuffing |
///     +------+-+-+-+-+-+-+-+-+----------+-----------+--------+--------------+-----------+----------+
///                             if P       if O        if C     if T           if E
@frozen
public struct AdaptationField: Sendable, Equatable {
    @usableFromInline let flags: UInt8
    /// program_clock_reference in ticks of 27 MHz, 0..<2^33 * 300. Nil if it is absent or its extension is 300 or more:
    /// an invalid PCR does not invalidate the payload after it.
    public let pcr: UInt64?
    /// transport_private_data as a range of the bytes given; empty if absent.
    public let privateData: Range<Int>
    /// The descriptors of the extension as a range of the bytes given; empty if there are none.
    public let descriptors: Range<Int>
    /// Number of stuffing octets at the end of the field.
    public let stuffingLength: Int

    /// - Parameter reader: covers exactly the field after its length octet; it is left at its end.
    @inlinable
    public init(from reader: inout WireReader) throws(WireError) {
        guard !reader.isAtEnd else {
            flags = 0
            pcr = nil
            privateData = reader.offset..<reader.offset
            descriptors = privateData
            stuffingLength = 0
            return
        }
        let flags: UInt8 = try reader.read()
        self.flags = flags
        pcr = flags & 0x10 == 0 ? nil : AdaptationField.ticks(of: try reader.read(octets: 6))
        if flags & 0x08 != 0 { try reader.skip(6) }
        if flags & 0x04 != 0 { try reader.skip(1) }
        if flags & 0x02 != 0 {
            let length: UInt8 = try reader.read()
            privateData = try reader.take(Int(length))
        } else {
            privateData = reader.offset..<reader.offset
        }
        if flags & 0x01 != 0 {
            let length: UInt8 = try reader.read()
            descriptors = AdaptationField.descriptors(in: try reader.reader(of: Int(length)))
        } else {
            descriptors = reader.offset..<reader.offset
        }
        stuffingLength = reader.takeRest().count
    }

    @inlinable public var isDiscontinuity: Bool { flags & 0x80 != 0 }
    @inlinable public var isRandomAccess: Bool { flags & 0x40 != 0 }

    /// The af_descriptors of an extension. An extension that is too short for what it announces has none; the payload
    /// does not depend on it.
    ///
    ///     +--------+-+-+-+-+----------+--------+--------------+-------------+----------------+
    ///     | length |L|P|S|N| reserved | ltw 16 | piecewise 24 | seamless 40 | af_descriptors |
    ///     +--------+-+-+-+-+----------+--------+--------------+-------------+----------------+
    ///                                    if L        if P          if S        unless N
    @usableFromInline
    static func descriptors(in field: WireReader) -> Range<Int> {
        var reader = field
        do throws(WireError) {
            let flags: UInt8 = try reader.read()
            if flags & 0x80 != 0 { try reader.skip(2) }
            if flags & 0x40 != 0 { try reader.skip(3) }
            if flags & 0x20 != 0 { try reader.skip(5) }
            return flags & 0x10 == 0 ? reader.takeRest() : reader.end..<reader.end
        } catch {
            return field.end..<field.end
        }
    }

    /// The PCR of a field of 48 bits: base 33, reserved 6, extension 9.
    @inlinable
    static func ticks(of field: UInt64) -> UInt64? {
        let base = field >> 15
        let tail = field & 0x1FF
        return tail < 300 ? base &* 300 &+ tail : nil
    }
}
