// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@Suite struct TickRateTests {
    static let rates: [Int64] = [1, 3, 1_000, 25_000, 44_100, 48_000, 90_000, 27_000_000, 999_999_937, 1_000_000_000]

    @Test func knownValues() {
        #expect(TickRate.mpeg.nanoseconds(90_000) == .seconds(1))
        #expect(TickRate.mpeg.nanoseconds(3_600) == .milliseconds(40))
        #expect(TickRate.mpeg.nanoseconds(1) == Nanoseconds(11_111))
        #expect(TickRate.mpeg.nanoseconds(-1) == Nanoseconds(-11_111))
        #expect(TickRate.programClock.nanoseconds(300 << 33) == TickRate.mpeg.nanoseconds(1 << 33))
        #expect(TickRate.programClock.ticks(.milliseconds(40)) == 1_080_000)
        #expect(TickRate(44_100).ticks(.seconds(-2)) == -88_200)
    }

    /// Against 128-bit arithmetic, for spans of up to 200 years either way.
    @Test(arguments: rates) func isExact(rate: Int64) {
        var random = SplitMix64(seed: UInt64(rate))
        let clock = TickRate(rate)
        let century: Int64 = 100 * 366 * 86_400
        for _ in 0..<2_000 {
            let most = min(Int64.max / 2 / rate, 2 * century) * rate
            let ticks = Int64.random(in: -most...most, using: &random)
            #expect(clock.nanoseconds(ticks).count == scaled(ticks, by: 1_000_000_000, over: rate))
            let span = Int64.random(in: -2 * century * 1_000_000_000...2 * century * 1_000_000_000, using: &random)
            #expect(clock.ticks(Nanoseconds(span)) == scaled(span, by: rate, over: 1_000_000_000))
        }
    }

    /// There and back loses less than a tick, and never gains.
    @Test(arguments: rates) func thereAndBack(rate: Int64) {
        var random = SplitMix64(seed: UInt64(rate))
        let clock = TickRate(rate)
        for _ in 0..<2_000 {
            let ticks = Int64.random(in: 0...100_000 * rate, using: &random)
            #expect(ticks - 1...ticks ~= clock.ticks(clock.nanoseconds(ticks)))
        }
        // Whole seconds are exact.
        #expect(clock.ticks(clock.nanoseconds(rate * 86_400)) == rate * 86_400)
    }

    @Test(arguments: [Int64.min, Int64.min + 1, Int64.max]) func neverTraps(extreme: Int64) {
        for rate in Self.rates {
            _ = TickRate(rate).nanoseconds(extreme)
            _ = TickRate(rate).ticks(Nanoseconds(extreme))
        }
    }

    private func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
        let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
        let magnitude = Int64(divisor.magnitude.dividingFullWidth(product).quotient)
        return value < 0 ? -magnitude : magnitude
    }
}
