// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: the same numbers from the same seed on every machine.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// One of many independent streams of the same seed.
    init(seed: UInt64, stream: UInt64) {
        var first = SeededRandom(seed: seed ^ stream &* 0xD6E8_FEB8_6659_FD93)
        state = first.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Uniform in 0..<1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
