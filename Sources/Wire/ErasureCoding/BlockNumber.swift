// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on source block numbers (SBN), which have 24 bits.
enum BlockNumber {
    static let mask: UInt32 = 0xFF_FFFF

    /// The distance between two SBNs the shorter way around, -2^23..<2^23.
    static func distance(from base: UInt32, to block: UInt32) -> Int {
        Int(Int32(bitPattern: (block &- base) << 8) >> 8)
    }

    static func adding(_ distance: Int, to block: UInt32) -> UInt32 {
        (block &+ UInt32(truncatingIfNeeded: distance)) & mask
    }
}
