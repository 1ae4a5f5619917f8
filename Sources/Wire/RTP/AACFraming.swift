// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Widths in bits of an AU header's fields (RFC 3640 4.1). What AAC-hbr says is the default; the other fields that there
/// can be are not sent in that mode.
public struct AACFraming: Sendable, Equatable {
    public let sizeLength: Int
    public let indexLength: Int
    public let indexDeltaLength: Int

    /// - Throws: `.unsupported` for sizes of other than 1...16 bits, as there are without AU headers, and indices of more
    ///   than 16.
    public init(sizeLength: Int = 13, indexLength: Int = 3, indexDeltaLength: Int = 3) throws(WireError) {
        guard (1...16).contains(sizeLength) else {
            throw WireError(.unsupported("sizeLength", UInt64(clamping: sizeLength)), at: 0)
        }
        guard (0...16).contains(indexLength) else {
            throw WireError(.unsupported("indexLength", UInt64(clamping: indexLength)), at: 0)
        }
        guard (0...16).contains(indexDeltaLength) else {
            throw WireError(.unsupported("indexDeltaLength", UInt64(clamping: indexDeltaLength)), at: 0)
        }
        self.sizeLength = sizeLength
        self.indexLength = indexLength
        self.indexDeltaLength = indexDeltaLength
    }
}
