// SPDX-License-Identifier: Apache-2.0
import Bytes

extension PESHeader {
    /// Writes the header of a unit that begins with an access unit (data_alignment_indicator).
    /// - Parameter pts: presentation time stamp in ticks of 90 kHz, taken modulo 2^33.
    /// - Parameter dts: decoding time stamp in the same ticks; not written if it is nil or equals `pts`.
    /// - Parameter dataCount: octets that follow. They are announced if 16 bits suffice, so that a receiver need not
    ///   wait for the next unit; more are allowed for video only.
    public static func write(streamID: UInt8, pts: Int64, dts: Int64?, dataCount: Int, to out: inout WireWriter) {
        let decoding = dts.flatMap { $0 == pts ? nil : $0 }
        let headerLength: UInt8 = decoding == nil ? 5 : 10
        let length = 3 + Int(headerLength) + dataCount
        precondition(length <= 0xFFFF || streamID & 0xF0 == 0xE0)
        out.write(UInt32(0x100) | UInt32(streamID))
        out.write(length <= 0xFFFF ? UInt16(length) : 0)
        out.write(UInt8(0x84))
        out.write(UInt8(decoding == nil ? 0x80 : 0xC0))
        out.write(headerLength)
        write(pts, mark: decoding == nil ? 2 : 3, to: &out)
        if let decoding { write(decoding, mark: 1, to: &out) }
    }

    private static func write(_ time: Int64, mark: UInt64, to out: inout WireWriter) {
        let ticks = UInt64(bitPattern: time)
        let field = mark << 36 | (ticks & 0x1_C000_0000) << 3 | (ticks & 0x3FFF_8000) << 2 | (ticks & 0x7FFF) << 1
        out.write(field | 0x1_0001_0001, octets: 5)
    }
}
