// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The recovery point message of H.264 (ISO/IEC 14496-10 D.1.8) and HEVC (ISO/IEC 23008-2 D.2.8), which both give the
/// same number.
enum RecoveryPoint {
    private static let payloadType = 6

    /// Finds the message in one SEI unit.
    /// - Parameter range: the unit without its header.
    /// - Returns: a reader at the number of pictures, with which the message begins; nil if there is no such message.
    static func reader(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(WireError) -> RBSPReader? {
        var reader = RBSPReader(bytes, in: range)
        while reader.offset + 1 < range.upperBound {
            let type = try messageNumber(from: &reader)
            let size = try messageNumber(from: &reader)
            if type == payloadType { return reader }
            try reader.skip(size * 8)
        }
        return nil
    }

    /// Reads payloadType or payloadSize: the sum of 0xFF octets and a last octet. The unit's length bounds it.
    private static func messageNumber(from reader: inout RBSPReader) throws(WireError) -> Int {
        var total = 0
        while true {
            let octet = Int(try reader.bits(8))
            total += octet
            if octet != 0xFF { return total }
        }
    }
}
