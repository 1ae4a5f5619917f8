// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct ClockSlewTests {
    private static let epoch: Int64 = 1_700_000_000_000_000_000
    private let root = ClockNode()

    private func wall(_ offset: Int64, speed: Int64 = 1_000_000_000, at now: Int64 = 0) -> ClockCorrelation {
        ClockCorrelation(
            parentTicks: now, ticks: Self.epoch + now + offset, speed: ClockSpeed(unchecked: speed),
            bound: ErrorBound(.microseconds(100), growth: 50_000))
    }

    /// 10 ms at 500 ppm take 20 s.
    @Test func arrivesWhenItShould() throws {
        let clock = ClockNode(parent: root, rate: .nanoseconds, correlation: wall(0))
        clock.slew(to: wall(10_000_000), from: 1_000_000_000, limit: 500_000)
        let path = try #require(root.path(to: clock))
        #expect(path.convert(1_000_000_000) == Self.epoch + 1_000_000_000)
        #expect(path.convert(2_000_000_000) == Self.epoch + 2_000_500_000)
        #expect(path.convert(20_999_000_000) == Self.epoch + 20_999_000_000 + 9_999_500)
        #expect(path.convert(21_000_000_000) == Self.epoch + 21_000_000_000 + 10_000_000)
        #expect(path.convert(90_000_000_000) == Self.epoch + 90_000_000_000 + 10_000_000)
        // What it has still to go is part of its error: 5 ms at half of the way. It runs faster there by 500 ppm, and
        // what is wrong by 5.65 ms before it is wrong by 2 825 ns more after.
        let (half, end) = (try #require(path.bound(at: 11_000_000_000)), try #require(path.bound(at: 21_000_000_000)))
        #expect(half == Nanoseconds(5_652_825))
        #expect(end == Nanoseconds(1_150_000))
    }

    /// The clock never moves by more than its rate and the limit allow, follows every new correlation, and its distance
    /// from that is part of its bound.
    @Test(arguments: Effort.seeds(100)) func neverJumpsAndArrives(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let clock = ClockNode(parent: root, rate: .nanoseconds, correlation: wall(0))
        var now = Int64.random(in: 0...1_000_000_000_000, using: &random)
        for _ in 0..<10 {
            var before = (now: now, ticks: try #require(root.path(to: clock)?.convert(now)))
            let limit = Int64.random(in: 10_000...5_000_000, using: &random)
            let target = wall(
                .random(in: -50_000_000...50_000_000, using: &random),
                speed: 1_000_000_000 + .random(in: -100_000...100_000, using: &random), at: now)
            clock.slew(to: target, from: now, limit: limit)
            let (path, back) = (try #require(root.path(to: clock)), try #require(clock.path(to: root)))
            let exact = try #require(
                root.path(to: ClockNode(parent: root, rate: .nanoseconds, correlation: target)))
            #expect(path.convert(now) == before.ticks)
            let way = before.ticks.gap(to: try #require(exact.convert(now)))
            // The way is known to a nanosecond at either end.
            let arrival = now + Int64(Double(way + 2) / Double(limit) * 1e9)
            // Half of the slews are overtaken by the next.
            let end = random.percent(50) ? arrival : now + (arrival - now) / 3
            while now < end {
                now = min(end, now + .random(in: 1...max(1, (end - now) / 2), using: &random))
                let ticks = try #require(path.convert(now))
                let elapsed = now - before.now
                let allowed = Double(elapsed) * Double(limit + 100_000) / 1e9 + 2
                #expect(Double((ticks - before.ticks).gap(to: elapsed)) <= allowed)
                before = (now, ticks)
                let remaining = ticks.gap(to: try #require(exact.convert(now)))
                let bound = try #require(path.bound(at: now)).count
                #expect(remaining + 100_000 <= bound + 1)
                #expect(try #require(back.convert(ticks)).gap(to: now) <= 1)
            }
            if end == arrival { #expect(path.convert(arrival) == exact.convert(arrival)) }
        }
    }

    /// A timeline of 25 ticks per second: a slew must not begin with a rounding by a frame.
    @Test(arguments: [1, -1] as [Int64], [1, -1] as [Int64]) func coarseAndReverseClocksDoNotJump(
        direction: Int64, way: Int64
    ) throws {
        let rate = try #require(ClockRate(unitsPerSecond: 25))
        let speed = ClockSpeed(unchecked: direction * 1_000_000_000)
        let clock = ClockNode(
            parent: root, rate: rate, correlation: ClockCorrelation(parentTicks: 0, ticks: 0, speed: speed))
        let fine = ClockNode(
            parent: clock, rate: .nanoseconds, correlation: ClockCorrelation(parentTicks: 0, ticks: 0))
        let before = try #require(root.path(to: fine))
        let start: Int64 = 1_013_000_000
        // 5 ticks are 200 ms; at 1 % they take 20 s.
        clock.slew(to: ClockCorrelation(parentTicks: 0, ticks: 5 * way, speed: speed), from: start, limit: 10_000_000)
        let after = try #require(root.path(to: fine))
        #expect(after.convert(start) == before.convert(start))
        let second = try #require(before.convert(start + 1_000_000_000))
        #expect(after.convert(start + 1_000_000_000) == second + 10_000_000 * way)
        let back = try #require(fine.path(to: root))
        for now in stride(from: start, to: start + 25_000_000_000, by: 77_777_777) {
            let there = try #require(after.convert(now))
            #expect(try #require(back.convert(there)).gap(to: now) <= 1)
        }
        let late = start + 20_000_000_000
        #expect(after.convert(late) == direction * late + 200_000_000 * way)
    }

    @Test func stepsWhereItCannotSlew() throws {
        let clock = ClockNode(parent: root, rate: .nanoseconds, correlation: wall(0))
        let paused = ClockCorrelation(parentTicks: 7, ticks: 99, speed: .paused)
        clock.slew(to: paused, from: 7, limit: 500_000)
        #expect(root.path(to: clock)?.convert(1_000) == 99)
        clock.slew(to: wall(0), from: 1_000, limit: 500_000)
        #expect(root.path(to: clock)?.convert(1_000) == wall(0).ticks + 1_000, "54 years are too far for 500 ppm")
        // A clock that ran begins to slew where it paused.
        clock.step(to: paused)
        clock.slew(to: ClockCorrelation(parentTicks: 0, ticks: 0), from: 1_000, limit: 500_000)
        #expect(root.path(to: clock)?.convert(1_000) == 99)
    }

    /// No faster than half of the clock's speed, so that it neither stands nor turns.
    @Test func anAbsurdLimitIsReduced() throws {
        let clock = ClockNode(parent: root, rate: .nanoseconds, correlation: wall(0))
        clock.slew(to: wall(-1_000_000), from: 0, limit: .max)
        let path = try #require(root.path(to: clock))
        #expect(path.convert(1_000_000) == Self.epoch + 500_000)
        #expect(path.convert(2_000_000) == Self.epoch + 1_000_000)
        #expect(path.convert(3_000_000) == Self.epoch + 2_000_000)
    }

    @Test func aStepEndsASlew() throws {
        let clock = ClockNode(parent: root, rate: .nanoseconds, correlation: wall(0))
        clock.slew(to: wall(1_000_000), from: 0, limit: 500_000)
        clock.step(to: wall(1_000_000))
        #expect(root.path(to: clock)?.convert(0) == Self.epoch + 1_000_000 && clock.changeCount == 2)
    }
}

extension Int64 {
    fileprivate func gap(to other: Int64) -> Int64 { Int64((self - other).magnitude) }
}
