// SPDX-License-Identifier: Apache-2.0

/// A set of symbols 0...255.
struct SymbolSet: Equatable {
    private var words = SIMD4<UInt64>()

    var count: Int {
        words[0].nonzeroBitCount + words[1].nonzeroBitCount + words[2].nonzeroBitCount + words[3].nonzeroBitCount
    }

    func contains(_ symbol: Int) -> Bool { words[symbol >> 6 & 3] >> UInt64(symbol & 63) & 1 == 1 }

    /// - Returns: whether the symbol was not in the set before.
    @discardableResult
    mutating func insert(_ symbol: Int) -> Bool {
        guard !contains(symbol) else { return false }
        words[symbol >> 6 & 3] |= 1 << UInt64(symbol & 63)
        return true
    }

    /// - Returns: whether the symbol was in the set.
    @discardableResult
    mutating func remove(_ symbol: Int) -> Bool {
        guard contains(symbol) else { return false }
        words[symbol >> 6 & 3] &= ~(1 << UInt64(symbol & 63))
        return true
    }
}
