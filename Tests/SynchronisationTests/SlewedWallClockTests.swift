// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct SlewedWallClockTests {
    private static func estimate(_ offset: Int64, drift: Int64 = 0, at instant: Int64) -> WallClockEstimate {
        WallClockEstimate(
            instant: Monotonic(nanoseconds: instant), offset: offset, drift: drift, frequencyError: .ppm(100),
            interval: OffsetInterval(
                lower: offset - 1_000, upper: offset + 1_000, at: Monotonic(nanoseconds: instant)))
    }

    @Test func stepsToAcquireAndSlewsAfter() {
        var clock = SlewedWallClock(steppingTo: Self.estimate(5_000_000_000, at: 0), at: Monotonic(nanoseconds: 0))
        func offset(_ seconds: Int64) -> Int64 { clock.offset(at: Monotonic(nanoseconds: seconds * 1_000_000_000)) }
        #expect(offset(1) == 5_000_000_000)
        let now = Monotonic(nanoseconds: 1_000_000_000)
        #expect(clock.follow(Self.estimate(5_002_000_000, at: 1_000_000_000), at: now) == nil)
        #expect(offset(1) == 5_000_000_000)
        // 500 ppm: 2 ms take four seconds.
        #expect(offset(3) == 5_001_000_000)
        #expect(offset(5) == 5_002_000_000)
        #expect(offset(9) == 5_002_000_000)
        // What is still to be slewed counts as dispersion.
        #expect(clock.dispersion(at: now) == Nanoseconds(2_001_000))
        #expect(clock.follow(Self.estimate(5_013_000_000, at: 1_000_000_000), at: now) == Nanoseconds(13_000_000))
        #expect(offset(1) == 5_013_000_000)
    }

    @Test(arguments: Effort.seeds(40)) func runsForwardsAndChangesItsRateWithinTheLimit(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var now: Int64 = 1_000
        var clock = SlewedWallClock(steppingTo: Self.estimate(77, at: now), at: Monotonic(nanoseconds: now))
        var last = clock.wallClock(at: Monotonic(nanoseconds: now))
        for _ in 0..<2_000 {
            if random.percent(10) {
                let estimate = Self.estimate(
                    clock.offset(at: Monotonic(nanoseconds: now)) + .random(in: -9_900_000...9_900_000, using: &random),
                    drift: .random(in: -100_000...100_000, using: &random), at: now)
                #expect(clock.follow(estimate, at: Monotonic(nanoseconds: now)) == nil)
            }
            let step = random.percent(50) ? 1 : Int64.random(in: 0...500_000_000, using: &random)
            now += step
            let next = clock.wallClock(at: Monotonic(nanoseconds: now))
            let gained = (next - last).count - step
            #expect(next >= last)
            #expect(gained.magnitude <= step / 1_000 * 6 / 10 + 2)
            last = next
        }
    }

    @Test func anyEstimatesAndInstantsAreSurvived() {
        let values: [Int64] = [.min, -1, 0, 1, 1 << 62, .max]
        for offset in [-(1 << 62), 0, 1 << 62] as [Int64] {
            for other in [-(1 << 62), 0, 1 << 62] as [Int64] {
                var clock = SlewedWallClock(steppingTo: Self.estimate(offset, at: 0), at: Monotonic(nanoseconds: 0))
                _ = clock.follow(Self.estimate(other, drift: 200_000_000, at: 5), at: Monotonic(nanoseconds: -7))
                for value in values {
                    _ = clock.wallClock(at: Monotonic(nanoseconds: value))
                    #expect(clock.dispersion(at: Monotonic(nanoseconds: value)) >= .zero)
                }
            }
        }
    }
}
