// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What a packet says beside its payload (ISO/IEC 13818-1 2.4.3.4).
///
///     +------+-+-+-+-+-+-+-+-+----------+-----------+--------+--------------+-----------+----------+
///     |length|D|R|S|P|O|C|T|E| PCR 48   | OPCR 48   | splice | len, private | extension | stuffing |
///     +------+-+-+-+-+-+-+-+-+----------+-----------+--------+--------------+-----------+----------+
///                             if P       if O        if C     if T           if E
@frozen
public struct AdaptationField: Sendable, Equatable {
    @usableFromInline let flags: UInt8
    /// program_clock_reference in ticks of 27 MHz, 0..<2^33 * 300. Nil when absent or when its extension is 300 or more:
    /// a bad clock reading is no reason to lose the payload behind it.
    public let pcr: UInt64?
    /// transport_private_data, in the bytes given.
    public let privateData: Range<Int>
    /// Octets at the end of the field that carry nothing.
    public let stuffingLength: Int

    /// - Parameter reader: exactly the field, behind its length octet; left at its end.
    @inlinable
    public init(from reader: inout WireReader) throws(WireError) {
        guard !reader.isAtEnd else {
            flags = 0
            pcr = nil
            privateData = reader.offset..<reader.offset
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
            try reader.skip(Int(length))
        }
        stuffingLength = reader.takeRest().count
    }

    @inlinable public var isDiscontinuity: Bool { flags & 0x80 != 0 }
    @inlinable public var isRandomAccess: Bool { flags & 0x40 != 0 }

    /// base 33, reserved 6, extension 9.
    @inlinable
    static func ticks(of field: UInt64) -> UInt64? {
        let base = field >> 15
        let tail = field & 0x1FF
        return tail < 300 ? base &* 300 &+ tail : nil
    }
}
