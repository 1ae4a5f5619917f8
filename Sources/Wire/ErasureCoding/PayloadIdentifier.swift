// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The FEC payload id, which says which symbol of which window a packet is (RFC 6865 §5.1.1, §5.1.2, m = 8). It follows
/// a source packet and precedes a repair symbol.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +-----------------------------------------------+---------------+
///     |          source block number (SBN)            |      ESI      |
///     +-------------------------------+---------------+---------------+
///     |    source block length (k)    |
///     +-------------------------------+
package struct PayloadIdentifier: Equatable {
    package static let size = 6

    /// SBN, 24 bits wide.
    package var block: UInt32
    /// ESI, 0...255; below k it is a source symbol.
    package var symbol: Int
    /// k, 0...65535: in a source packet the number that its sender planned, in a repair packet the final number.
    package var sourceCount: Int

    init(block: UInt32, symbol: Int, sourceCount: Int) {
        self.block = block
        self.symbol = symbol
        self.sourceCount = sourceCount
    }

    package init(from reader: inout WireReader) throws(WireError) {
        let first: UInt32 = try reader.read()
        let count: UInt16 = try reader.read()
        block = first >> 8
        symbol = Int(first & 0xFF)
        sourceCount = Int(count)
    }

    /// - Parameter place: memory of six octets.
    func write(to place: UnsafeMutablePointer<UInt8>) {
        let octets = UnsafeMutableRawPointer(place)
        octets.storeBytes(of: (block << 8 | UInt32(truncatingIfNeeded: symbol)).bigEndian, as: UInt32.self)
        octets.storeBytes(
            of: UInt16(truncatingIfNeeded: sourceCount).bigEndian, toByteOffset: 4, as: UInt16.self)
    }
}
