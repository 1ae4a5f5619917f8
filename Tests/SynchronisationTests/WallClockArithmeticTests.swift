// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct WallClockArithmeticTests {
    @Test func frequencyErrorsGrowRoundedUp() {
        #expect(FrequencyError.ppm(500).units == 128_000)
        #expect(FrequencyError.ppm(500).growth(over: .seconds(1)) == 500_000)
        #expect(FrequencyError.ppm(500).growth(over: .seconds(-1)) == 500_000)
        #expect(FrequencyError(units: 3).growth(over: .seconds(1)) == 12)
        #expect(FrequencyError(units: 1).growth(over: Nanoseconds(1)) == 1)
        #expect(FrequencyError(units: 0).growth(over: Nanoseconds(.max)) == 0)
        #expect(FrequencyError(units: .max).growth(over: Nanoseconds(.min)) > 0)
        #expect(FrequencyError(units: 3).nanosecondsPerSecond == 12)
        #expect(FrequencyError.ppm(100).span(until: .milliseconds(1)) == .seconds(10))
        #expect(FrequencyError(units: 0).span(until: .milliseconds(1)) == nil)
        #expect(FrequencyError(units: 1).span(until: Nanoseconds(.max)) == Nanoseconds(.max))
    }

    /// The rate of one clock by another is not quite the sum of both errors: 500 ppm fast by 500 ppm slow.
    @Test func aRelativeErrorHasItsSecondOrder() {
        let error = FrequencyError.ppm(500).relative(to: .ppm(500))
        let exact = (1 + 500e-6) / (1 - 500e-6) - 1
        #expect(Double(error.units) / 256e6 >= exact)
        #expect(Double(error.units) / 256e6 <= exact + 1 / 256e6)
    }

    @Test(arguments: [-2_500_000_000, -1, 0, 1, 2_500_000_000] as [Int64]) func sharesAreRoundedDown(span: Int64) {
        for rate in [-999_999_999, -50_000, -1, 0, 1, 50_000, 999_999_999] as [Int64] {
            let exact = Double(span) * Double(rate) / 1e9
            #expect(span.nanoseconds(atRate: rate) == Int64(exact.rounded(.down)), "\(span) at \(rate)")
        }
    }

    @Test(arguments: Effort.seeds(40)) func intervalsOnlyGrow(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let error = FrequencyError(units: .random(in: 0...256_000, using: &random))
        let lower = Int64.random(in: -(1 << 60)...(1 << 60), using: &random)
        var interval = OffsetInterval(
            lower: lower, upper: lower + .random(in: 0...1_000_000, using: &random), at: Monotonic(nanoseconds: 0))
        for _ in 0..<100 {
            let to = interval.instant + Nanoseconds(.random(in: -1_000_000_000...1_000_000_000, using: &random))
            let moved = interval.moved(to: to, error: error)
            #expect(moved.contains(interval))
            interval = moved
        }
    }

    @Test func aTriangleIsCutOffASquare() {
        var square = OffsetPolygon(offset: 0...2, drift: 0...2)
        let centre = square.centroid
        #expect(centre == SIMD2(1, 1))
        let isLeft = square.keep(SIMD2(1, 1), atMost: 3)
        #expect(isLeft && square.corners.count == 5)
        // 4 * 1 - 0.5 * (5 / 3), by 3.5
        let expected = (4 - 0.5 * 5 / 3) / 3.5
        #expect(abs(square.centroid.x - expected) < 1e-12 && abs(square.centroid.y - expected) < 1e-12)
        let before = square.corners
        let isNothingLeft = !square.keep(SIMD2(1, 0), atMost: -1)
        #expect(isNothingLeft && square.corners == before)
    }

    /// Limits that the hull leaves out would not have changed the polygon, now or later.
    @Test(arguments: Effort.seeds(60), [OffsetLimits.Side.upper, .lower])
    func hiddenLimitsCutNothing(seed: UInt64, side: OffsetLimits.Side) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var limits = OffsetLimits(side)
        var all: [OffsetLimits.Limit] = []
        let sign: Int64 = side == .upper ? 1 : -1
        var now: Int64 = 1 << 50
        for _ in 0..<40 {
            now += Int64.random(in: 1...2_000_000_000, using: &random)
            let limit = OffsetLimits.Limit(
                instant: Monotonic(nanoseconds: now), offset: sign * .random(in: 0...5_000_000, using: &random))
            limits.add(limit)
            all.append(limit)
        }
        #expect(limits.limits.count < all.count && limits.limits.last == all.last)
        let instant = Monotonic(nanoseconds: now + .random(in: 0...100_000_000_000, using: &random))
        func polygon(_ chosen: [OffsetLimits.Limit]) -> OffsetPolygon {
            var polygon = OffsetPolygon(offset: -1e9...1e9, drift: -1e6...1e6)
            for limit in chosen {
                let (normal, value) = limits.halfPlane(limit, base: 0, at: instant)
                let isLeft = polygon.keep(normal, atMost: value)
                #expect(isLeft)
            }
            return polygon
        }
        let difference = polygon(limits.limits).centroid - polygon(all).centroid
        #expect(abs(difference.x) < 1 && abs(difference.y) < 1)
    }

    @Test func limitsAreBounded() {
        var limits = OffsetLimits(.upper)
        for index in 0..<1_000 as Range<Int64> {
            // Steeper than the drift may wander: each is on the hull.
            limits.add(.init(instant: Monotonic(nanoseconds: index * 100_000_000), offset: index * index * 1_000))
        }
        #expect(limits.limits.count == OffsetLimits.most)
        let newest = limits.limits.last
        #expect(newest?.instant == Monotonic(nanoseconds: 99_900_000_000))
        limits.add(.init(instant: Monotonic(nanoseconds: 0), offset: 0))
        #expect(limits.limits.last == newest)
    }
}
