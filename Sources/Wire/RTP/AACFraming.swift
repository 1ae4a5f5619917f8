// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Widths in bits of the fields of an AU header (RFC 3640 4.1). The defaults are those of AAC-hbr. That mode does not
/// send the other possible fields.
public struct AACFraming: Sendable, Equatable {
    public let sizeLength: Int
    public let indexLength: Int
    public let indexDeltaLength: Int

    /// - Throws: `.unsupported` for a size field of other than 1...16 bits (a width of 0 means no AU headers) and for
    ///   index fields of more than 16 bits.
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
