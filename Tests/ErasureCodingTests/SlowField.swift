// SPDX-License-Identifier: Apache-2.0

/// GF(2^8) by 0x11d and its Reed–Solomon generators as the texts have them, bit by bit and by Gauss: slow, and sharing
/// nothing with what it is compared with.
enum SlowField {
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (sum, shifted, rest) = (0, Int(left), right)
        while rest > 0 {
            if rest & 1 == 1 { sum ^= shifted }
            shifted <<= 1
            if shifted > 255 { shifted ^= 0x11D }
            rest >>= 1
        }
        return UInt8(sum)
    }

    static func power(_ base: UInt8, _ exponent: Int) -> UInt8 {
        (0..<exponent).reduce(1) { result, _ in product(result, base) }
    }

    static func inverse(_ value: UInt8) -> UInt8 { power(value, 254) }

    /// V(k, n) of RFC 5510 §8.2.1: α^(i·j).
    static func literal(_ sources: Int, _ count: Int) -> [[UInt8]] {
        let powers = (0..<255).map { power(2, $0) }
        return (0..<sources).map { row in (0..<count).map { powers[row * $0 % 255] } }
    }

    /// Rizzo's, by columns: 1, 0, 0… and then α^(i·(j - 1)).
    static func peers(_ sources: Int, _ count: Int) -> [[UInt8]] {
        let powers = (0..<255).map { power(2, $0) }
        return (0..<sources).map { row in
            (0..<count).map { $0 == 0 ? (row == 0 ? 1 : 0) : powers[row * ($0 - 1) % 255] }
        }
    }

    /// The repair columns of V(k, k)^-1 · V(k, n): by repair, a coefficient for each source.
    static func repairs(of vandermonde: [[UInt8]]) -> [[UInt8]] {
        let sources = vandermonde.count
        var rows = vandermonde
        for pivot in 0..<sources {
            let found: Int = (pivot..<sources).first(where: { rows[$0][pivot] != 0 }) ?? pivot
            rows.swapAt(pivot, found)
            let scale = inverse(rows[pivot][pivot])
            rows[pivot] = rows[pivot].map { product($0, scale) }
            for other in 0..<sources where other != pivot && rows[other][pivot] != 0 {
                let factor = rows[other][pivot]
                for column in rows[other].indices { rows[other][column] ^= product(factor, rows[pivot][column]) }
            }
        }
        return (sources..<rows[0].count).map { column in (0..<sources).map { rows[$0][column] } }
    }
}
