// SPDX-License-Identifier: Apache-2.0

/// Arithmetic of SBNs, which have 24 bits.
enum BlockNumber {
    static let mask: UInt32 = 0xFF_FFFF

    /// -2^23..<2^23: the shorter way round.
    static func distance(from base: UInt32, to block: UInt32) -> Int {
        Int(Int32(bitPattern: (block &- base) << 8) >> 8)
    }

    static func adding(_ distance: Int, to block: UInt32) -> UInt32 {
        (block &+ UInt32(truncatingIfNeeded: distance)) & mask
    }
}
