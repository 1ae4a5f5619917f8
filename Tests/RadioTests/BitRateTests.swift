// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

struct BitRateTests {
    @Test func isInUnitsOfAHundredKilobits() {
        #expect(BitRate(value: 540, kind: .legacy).bitsPerSecond == 54_000_000)
        #expect(BitRate(value: .max, kind: .eht).bitsPerSecond == 429_496_729_500_000)
        #expect(BitRate(value: nil, kind: .ht).bitsPerSecond == nil)
    }

    @Test func shortGuardInterval() {
        #expect(BitRate(value: nil, kind: .vht, guardInterval: 400).hasShortGuardInterval)
        #expect(!BitRate(value: nil, kind: .he, guardInterval: 800).hasShortGuardInterval)
        #expect(!BitRate(value: nil, kind: .legacy).hasShortGuardInterval)
    }
}
