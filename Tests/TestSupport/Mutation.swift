// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#endif

/// Seeded damage to real bytes: flips, overwrites, cuts, insertions and doubled pieces.
public struct Mutation: Sendable {
    private var random: SplitMix64

    public init(seed: UInt64) { random = SplitMix64(seed: seed) }

    public mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !result.isEmpty else { return result }
            let place = Int.random(in: 0..<result.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: result[place] = [0x00, 0xff, 0x7f, 0x80, 0x47][Int.random(in: 0..<5, using: &random)]
            case 2: result[place] = UInt8.random(in: 0...255, using: &random)
            case 3: result.removeSubrange(place...)
            case 4: result.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default:
                let end = min(result.count, place + Int.random(in: 1...64, using: &random))
                result.insert(contentsOf: result[place..<end], at: place)
            }
        }
        return result
    }

    /// How many mutations a test runs: `TOUCHLINE_MUTATIONS`, else `usual`.
    public static func count(usual: Int = 2_000) -> Int {
        guard let text = getenv("TOUCHLINE_MUTATIONS"), let count = Int(String(cString: text)) else {
            return Effort.scaled(usual)
        }
        return count
    }
}
