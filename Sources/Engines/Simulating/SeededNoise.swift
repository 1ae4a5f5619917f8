// SPDX-License-Identifier: Apache-2.0

/// Numbers that follow from a seed (SplitMix64): one after the other, or each from a place and a step, so that what a box
/// was like at some time can be told again later.
public struct SeededNoise: RandomNumberGenerator, Sendable {
    private let seed: UInt64
    private var state: UInt64

    public init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// - Returns: 0 up to 1, the same for the same numbers.
    func unit(_ what: UInt64, _ place: Int, _ step: UInt64 = 0) -> Double {
        let mixed = Self.mix(seed ^ Self.mix(what &+ Self.mix(UInt64(truncatingIfNeeded: place) &+ Self.mix(step))))
        return Double(mixed >> 11) / Double(1 << 53 as UInt64)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
