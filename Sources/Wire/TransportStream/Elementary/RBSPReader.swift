// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Reads bits and Exp-Golomb codes of a NAL unit (ISO/IEC 14496-10 7.2, 9.1) and skips emulation prevention octets.
struct RBSPReader {
    private var reader: WireReader
    private var octet: UInt8 = 0
    private var bitsLeft = 0
    private var zeros = 0

    /// - Parameter range: the NAL unit without its header octet.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) { reader = WireReader(bytes, in: range) }

    var offset: Int { reader.offset }

    mutating func bit() throws(WireError) -> Bool {
        if bitsLeft == 0 {
            octet = try reader.read()
            if zeros >= 2, octet == 3 {
                octet = try reader.read()
                zeros = 0
            }
            zeros = octet == 0 ? zeros + 1 : 0
            bitsLeft = 8
        }
        bitsLeft -= 1
        return octet >> UInt8(bitsLeft) & 1 != 0
    }

    /// Reads an unsigned number of 0...32 bits.
    mutating func bits(_ count: Int) throws(WireError) -> UInt32 {
        precondition((0...32).contains(count))
        var value: UInt32 = 0
        for _ in 0..<count { value = value << 1 | (try bit() ? 1 : 0) }
        return value
    }

    mutating func skip(_ count: Int) throws(WireError) {
        for _ in 0..<count { _ = try bit() }
    }

    /// Reads ue(v), 0...2^32-2.
    mutating func unsigned() throws(WireError) -> UInt32 {
        var leading = 0
        while !(try bit()) {
            leading += 1
            guard leading < 32 else { throw WireError(.invalid("Exp-Golomb prefix", UInt64(leading)), at: offset) }
        }
        return (1 << UInt32(leading) - 1) + (try bits(leading))
    }

    /// Reads ue(v); throws `.invalid` above `limit`.
    mutating func unsigned(_ name: StaticName, limit: UInt32) throws(WireError) -> Int {
        let value = try unsigned()
        guard value <= limit else { throw WireError(.invalid(name, UInt64(value)), at: offset) }
        return Int(value)
    }

    /// Reads se(v).
    mutating func signed() throws(WireError) -> Int64 {
        let code = Int64(try unsigned())
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }
}
