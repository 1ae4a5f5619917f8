// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct ClockPathTests {
    private let root = ClockNode()

    private func clock(_ rate: ClockRate, _ correlation: ClockCorrelation) -> ClockNode {
        ClockNode(parent: root, rate: rate, correlation: correlation)
    }

    private func rate(_ unitsPerSecond: Int64, _ unitsPerTick: Int64 = 1) throws -> ClockRate {
        try #require(ClockRate(unitsPerSecond: unitsPerSecond, unitsPerTick: unitsPerTick))
    }

    // MARK: Known values

    /// A control timestamp of a television, captured: PTS 703963 at wall clock time 1113285308466.
    @Test func followsAControlTimestamp() throws {
        let timeline = clock(
            ClockRate(.mpeg), ClockCorrelation(parentTicks: 1_113_285_308_466, ticks: 703_963))
        let path = try #require(root.path(to: timeline))
        #expect(path.convert(1_113_285_308_466) == 703_963)
        #expect(path.convert(1_114_285_308_466) == 793_963)
        #expect(path.convert(1_112_285_308_466) == 613_963)
        timeline.step(
            to: ClockCorrelation(
                parentTicks: 1_113_285_308_466, ticks: 703_963, speed: try #require(ClockSpeed(multiplier: -2))))
        #expect(path.convert(1_114_285_308_466) == 793_963, "a path is a snapshot")
        let reverse = try #require(root.path(to: timeline))
        #expect(reverse.convert(1_114_285_308_466) == 523_963)
        #expect(timeline.path(to: root)?.convert(523_963) == 1_114_285_308_466)
    }

    /// CSS-07: the pair (0, 0) is the identity of a medium and its timeline. CSS-24: 5 000 ticks per second.
    @Test func thePairOfZerosMapsTicksByRate() throws {
        let timeline = clock(try rate(5_000), ClockCorrelation(parentTicks: 0, ticks: 0))
        let medium = ClockNode(
            parent: timeline, rate: ClockRate(.mpeg), correlation: ClockCorrelation(parentTicks: 0, ticks: 0))
        #expect(timeline.path(to: medium)?.convert(5_000) == 90_000)
        #expect(timeline.path(to: timeline)?.convert(42) == 42)
        // CSS-07: the pair may be replaced while all runs.
        medium.step(to: ClockCorrelation(parentTicks: 10_000, ticks: 0))
        #expect(timeline.path(to: medium)?.convert(5_000) == -90_000)
    }

    @Test func rationalRatesAreExact() throws {
        let frames = clock(try rate(30_000, 1_001), ClockCorrelation(parentTicks: 0, ticks: 0))
        let path = try #require(root.path(to: frames))
        // 30 000 frames take exactly 1 001 s; a year of them is still exact.
        #expect(path.convert(1_001_000_000_000) == 30_000)
        let year = try #require(frames.path(to: root)?.convert(30_000 * 31_536))
        #expect(year == 1_001_000_000_000 * 31_536)
        #expect(frames.path(to: root)?.convert(1) == 33_366_667)
    }

    @Test func roundsToTheNearestTickAndTiesToTheLater() throws {
        let half = clock(try rate(500_000_000), ClockCorrelation(parentTicks: 0, ticks: 0))
        let path = try #require(root.path(to: half))
        #expect([-3, -2, -1, 0, 1, 2, 3].map { path.convert($0) } == [-1, -1, 0, 0, 1, 1, 2])
    }

    /// The reference computes in Float64, which has steps of 256 ns at the scale of the epoch.
    @Test func keepsNanosecondsAtTheEpoch() throws {
        let epoch: Int64 = 1_700_000_000_000_000_000
        let wall = clock(
            .nanoseconds,
            ClockCorrelation(
                parentTicks: 5_000_000_000, ticks: epoch,
                speed: try #require(ClockSpeed(partsPerBillion: 1_000_050_000))))
        let other = ClockNode(
            parent: wall, rate: .nanoseconds, correlation: ClockCorrelation(parentTicks: epoch, ticks: 0))
        let path = try #require(wall.path(to: other))
        for step in 0..<2_000 as Range<Int64> {
            #expect(path.convert(epoch + 3_600_000_000_000 + step) == 3_600_000_000_000 + step)
        }
        let down = try #require(root.path(to: wall))
        #expect(down.convert(5_000_000_000 + 20_000) == epoch + 20_001)
        #expect(down.convert(5_000_000_000 - 20_000) == epoch - 20_001)
    }

    /// A television's timeline of 25 ticks per second lies between the medium and the system's clock.
    @Test func aCoarseClockInBetweenCostsNothing() throws {
        let timeline = clock(try rate(25), ClockCorrelation(parentTicks: 7, ticks: 1_000))
        let medium = ClockNode(
            parent: timeline, rate: ClockRate(.mpeg), correlation: ClockCorrelation(parentTicks: 1_000, ticks: 0))
        let path = try #require(medium.path(to: root))
        #expect(path.convert(9) == 100_007)
        #expect(path.convert(1_809) == 20_100_007)
    }

    /// The reference converts every tick of a paused clock to the correlation point.
    @Test func aPausedClockHasNoInverse() throws {
        let timeline = clock(
            ClockRate(.mpeg), ClockCorrelation(parentTicks: 1_000, ticks: 77, speed: .paused))
        let medium = ClockNode(
            parent: timeline, rate: .nanoseconds, correlation: ClockCorrelation(parentTicks: 77, ticks: 0))
        #expect(root.path(to: timeline)?.convert(987_654_321) == 77)
        #expect(root.path(to: medium)?.convert(987_654_321) == 0)
        #expect(timeline.path(to: root)?.convert(77) == nil)
        #expect(medium.path(to: root)?.convert(0) == nil && medium.path(to: root)?.bound(at: 0) == nil)
        #expect(medium.path(to: timeline)?.convert(0) == 77, "the pause is above both")
    }

    // MARK: Properties

    @Test(arguments: Effort.seeds(200)) func roundTripsWithinATick(seed: UInt64) throws {
        var clocks = RandomClocks(seed: seed)
        var converted = 0
        for _ in 0..<40 {
            let (from, to) = clocks.pair()
            let (there, back) = (try #require(from.path(to: to)), try #require(to.path(to: from)))
            let ticks = clocks.place(on: from)
            // A chain of very different speeds leaves the range of ticks.
            guard let other = there.convert(ticks) else { continue }
            converted += 1
            let again = try #require(back.convert(other))
            // Half a tick of the coarser clock, and half of its own.
            let allowed = 0.5 / RandomClocks.ratio(from, to) + 0.5
            #expect(Double((again - ticks).magnitude) <= allowed * (1 + 1e-9) + 1e-3)
        }
        #expect(converted >= 36)
    }

    /// Against decimals of 38 digits.
    @Test(arguments: Effort.seeds(200)) func convertsExactly(seed: UInt64) throws {
        var clocks = RandomClocks(seed: seed)
        for _ in 0..<20 {
            let clock = clocks.random.one(of: Array(clocks.all.dropFirst()))
            let (parent, line) = (try #require(clock.parent), try #require(clock.correlation))
            let way = Int64.random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &clocks.random)
            let ticks = line.parentTicks + way
            let numerator = [way, line.speed.partsPerBillion, clock.rate.unitsPerSecond, parent.rate.unitsPerTick]
            let denominator = [1_000_000_000, clock.rate.unitsPerTick, parent.rate.unitsPerSecond]
            let exact =
                numerator.reduce(Decimal(1)) { $0 * Decimal($1) } / denominator.reduce(Decimal(1)) { $0 * Decimal($1) }
                + Decimal(line.ticks)
            let converted = parent.path(to: clock)?.convert(ticks)
            guard exact.magnitude < Decimal(Int64.max) - 1 else { continue }
            let error = (Decimal(try #require(converted)) - exact).magnitude
            #expect(error <= Decimal(string: "0.50001") ?? 0)
        }
    }

    /// What the input makes of clocks, whatever it is.
    @Test(arguments: Effort.seeds(200)) func neverTraps(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 1_700_000_000_000_000_000, .max - 1, .max]
        let terms: [Int64] = [1, 1_001, 27_000_000, 999_999_937, 1_000_000_000]
        let speeds: [Int64] = [-1_000_000_000_000, -1, 0, 1, 999_999_937, 1_000_000_000, 1_000_000_000_000]
        func any() -> Int64 {
            if random.percent(60) { return random.one(of: extremes) }
            return Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
        }
        func correlation() -> ClockCorrelation {
            ClockCorrelation(
                parentTicks: any(), ticks: any(), speed: ClockSpeed(unchecked: random.one(of: speeds)),
                bound: ErrorBound(Nanoseconds(any()), growth: any()))
        }
        var clocks = [ClockNode()]
        for _ in 0..<6 {
            let rate = try self.rate(random.one(of: terms), random.one(of: terms))
            let clock = ClockNode(parent: random.one(of: clocks), rate: rate, correlation: correlation())
            if random.percent(50) {
                clock.slew(to: correlation(), from: any(), limit: max(1, any() & .max))
            }
            clocks.append(clock)
        }
        for from in clocks {
            for to in clocks {
                let path = try #require(from.path(to: to))
                for ticks in extremes + [any()] {
                    // What has a value has a bound, which is never negative.
                    #expect((path.convert(ticks) == nil) == (path.bound(at: ticks) == nil))
                    #expect(path.bound(at: ticks) ?? .zero >= .zero)
                }
            }
        }
    }

    @Test func overflowIsNil() throws {
        let double = try #require(ClockSpeed(multiplier: 2))
        let fast = clock(.nanoseconds, ClockCorrelation(parentTicks: 0, ticks: 0, speed: double))
        let path = try #require(root.path(to: fast))
        #expect(path.convert(.max / 2) == .max - 1 && path.convert(.max / 2 + 1) == nil)
        #expect(path.convert(.min / 2) == .min && path.convert(.min / 2 - 1) == nil)
        let half = try #require(fast.path(to: root)?.convert(.max))
        #expect(half == .max / 2 + 1, "rounded up")
        let same = clock(.nanoseconds, ClockCorrelation(parentTicks: .min, ticks: .min))
        #expect(root.path(to: same)?.convert(.max) == .max)
    }

    // MARK: Rates and speeds from the wire

    @Test func absurdRatesAndSpeedsAreRefused() {
        #expect(ClockRate(unitsPerSecond: 0) == nil && ClockRate(unitsPerSecond: -90_000) == nil)
        #expect(ClockRate(unitsPerSecond: 1, unitsPerTick: 0) == nil)
        #expect(ClockRate(unitsPerSecond: 1_000_000_001) == nil && ClockRate(unitsPerSecond: .max) == nil)
        #expect(ClockRate(unitsPerSecond: 180_000, unitsPerTick: 2) == ClockRate(.mpeg))
        #expect(ClockSpeed(multiplier: .nan) == nil && ClockSpeed(multiplier: .infinity) == nil)
        #expect(ClockSpeed(multiplier: 1_000.5) == nil && ClockSpeed(partsPerBillion: .min) == nil)
        #expect(ClockSpeed(multiplier: 1) == .normal && ClockSpeed(multiplier: -0.0) == .paused)
        #expect(ClockSpeed(multiplier: 1_000)?.partsPerBillion == 1_000_000_000_000)
        #expect(ClockSpeed(multiplier: 1.0005)?.partsPerBillion == 1_000_500_000)
        #expect(ClockSpeed(multiplier: -1.5)?.multiplier == -1.5 && ClockSpeed.paused.isPaused)
    }
}
