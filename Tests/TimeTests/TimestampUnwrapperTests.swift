// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@Suite struct TimestampUnwrapperTests {
    @Test(arguments: [16, 32, 33]) func wrapsForwards(bits: Int) {
        let modulus: Int64 = 1 << bits
        var unwrapper = TimestampUnwrapper(bits: bits)
        #expect(unwrapper.unwrap(UInt64(modulus - 2)) == modulus - 2)
        #expect(unwrapper.unwrap(1) == modulus + 1)
        #expect(unwrapper.unwrap(UInt64(modulus / 2)) == modulus + modulus / 2)
        #expect(unwrapper.unwrap(UInt64(modulus - 1)) == 2 * modulus - 1)
        #expect(unwrapper.unwrap(0) == 2 * modulus)
    }

    @Test(arguments: [16, 32, 33]) func wrapsBackwards(bits: Int) {
        let modulus: Int64 = 1 << bits
        var unwrapper = TimestampUnwrapper(bits: bits)
        #expect(unwrapper.unwrap(3) == 3)
        #expect(unwrapper.unwrap(UInt64(modulus - 5)) == -5)
        #expect(unwrapper.unwrap(UInt64(modulus / 2 + 1)) == 1 - modulus / 2)
        #expect(unwrapper.unwrap(2) == 2 - modulus)
    }

    /// A walk of steps below half the counter's width is followed exactly, however often it wraps.
    @Test(arguments: [8, 16, 32, 33, 48], 1...20 as ClosedRange<UInt64>) func followsAnyWalk(bits: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let half: Int64 = 1 << (bits - 1)
        var place = Int64.random(in: 0..<2 * half, using: &random)
        var unwrapper = TimestampUnwrapper(bits: bits)
        #expect(unwrapper.unwrap(UInt64(place)) == place)
        for _ in 0..<500 {
            place += Int64.random(in: -half..<half, using: &random)
            let wrapped = UInt64(bitPattern: place) & UInt64(2 * half - 1)
            #expect(unwrapper.nearest(wrapped) == place)
            #expect(unwrapper.unwrap(wrapped) == place)
        }
    }

    /// A header may carry more bits than the counter has.
    @Test func ignoresBitsAbove() {
        var unwrapper = TimestampUnwrapper(bits: 33)
        #expect(unwrapper.unwrap(UInt64.max) == (1 << 33) - 1)
    }

    @Test func startsAgainAfterReset() {
        var unwrapper = TimestampUnwrapper(bits: 16)
        _ = unwrapper.unwrap(65_535)
        _ = unwrapper.unwrap(1)
        unwrapper.reset()
        #expect(unwrapper.unwrap(1) == 1)
    }
}
