// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct ErrorBoundTests {
    private let root = ClockNode()

    /// Two clocks of 500 ppm each: 1 ms per second, as in the reference's wall clock.
    @Test func growsWithTheDistanceFromThePoint() throws {
        let wall = ClockNode(
            parent: root, rate: .nanoseconds,
            correlation: ClockCorrelation(
                parentTicks: 0, ticks: 5, bound: ErrorBound(.microseconds(220), growth: 1_000_000)))
        let path = try #require(root.path(to: wall))
        #expect(path.bound(at: 0) == .microseconds(220))
        #expect(path.bound(at: 1_000_000_000) == .microseconds(1_220))
        #expect(path.bound(at: -1_000_000_000) == .microseconds(1_220))
        #expect(path.bound(at: 1) == Nanoseconds(220_001), "rounded up")
        #expect(wall.path(to: root)?.bound(at: 1_000_000_005) == .microseconds(1_220))
    }

    @Test func sumsOverThePathAndScalesWithSpeed() throws {
        let wall = ClockNode(
            parent: root, rate: .nanoseconds,
            correlation: ClockCorrelation(parentTicks: 0, ticks: 0, bound: ErrorBound(.microseconds(300))))
        let timeline = ClockNode(
            parent: wall, rate: ClockRate(.mpeg),
            correlation: ClockCorrelation(
                parentTicks: 0, ticks: 0, speed: try #require(ClockSpeed(multiplier: 2)),
                bound: ErrorBound(.microseconds(50))))
        // A wrong instant makes twice the error at double speed.
        #expect(root.path(to: timeline)?.bound(at: 0) == .microseconds(700))
        #expect(timeline.path(to: root)?.bound(at: 0) == .microseconds(350))
        let slow = ClockNode(
            parent: timeline, rate: .nanoseconds,
            correlation: ClockCorrelation(parentTicks: 0, ticks: 0, speed: try #require(ClockSpeed(multiplier: 0.25))))
        #expect(timeline.path(to: slow)?.bound(at: 0) == .zero)
        #expect(root.path(to: slow)?.bound(at: 0) == .microseconds(700), "never less")
        #expect(slow.path(to: root)?.bound(at: 0) == .microseconds(350))
    }

    /// A medium that is wrong by 100 µs under a timeline at half speed is wrong by 200 µs of the system's time.
    @Test func aSlowClockWidensTheErrorOnTheWayUp() throws {
        let half = try #require(ClockSpeed(multiplier: 0.5))
        func correlation(_ ticks: Int64) -> ClockCorrelation {
            ClockCorrelation(parentTicks: 0, ticks: ticks, speed: half)
        }
        let timeline = ClockNode(parent: root, rate: .nanoseconds, correlation: correlation(0))
        let medium = ClockNode(
            parent: timeline, rate: .nanoseconds,
            correlation: ClockCorrelation(parentTicks: 0, ticks: 0, bound: ErrorBound(.microseconds(100))))
        #expect(medium.path(to: root)?.bound(at: 0) == .microseconds(200))
        // While it slews by 10 % it is slower still, or faster; the slower speed counts. A tick remains, which takes 2 ns.
        for (ticks, microseconds) in [(-1, 250), (1, 200)] as [(Int64, Int64)] {
            timeline.step(to: correlation(0))
            timeline.slew(to: correlation(ticks), from: 0, limit: 100_000_000)
            let bound = try #require(medium.path(to: root)?.bound(at: 0))
            #expect(bound == .microseconds(microseconds) + Nanoseconds(2))
        }
    }

    /// Only what lies between two clocks counts: two media of one timeline do not care about the wall clock's error.
    @Test func aCommonAncestorDoesNotCount() throws {
        let wall = ClockNode(parent: root, rate: .nanoseconds)
        let bound = ErrorBound(.microseconds(10))
        let media = (0..<2).map { _ in
            ClockNode(
                parent: wall, rate: ClockRate(.mpeg),
                correlation: ClockCorrelation(parentTicks: 0, ticks: 0, bound: bound))
        }
        #expect(media[0].path(to: media[1])?.bound(at: 90_000) == .microseconds(20))
        #expect(media[0].path(to: root)?.bound(at: 90_000) == Nanoseconds(.max), "nothing is known of the wall clock")
        #expect(media[0].path(to: media[0])?.bound(at: 90_000) == .zero)
    }

    @Test func negativeBoundsAreZero() {
        #expect(ErrorBound(.seconds(-1), growth: -5) == .zero)
    }

    /// A wall clock that is wrong by as much as its bound allows, read through the tree at double speed.
    @Test(arguments: [-1, 1] as [Int64]) func coversTheWorstCase(sign: Int64) throws {
        let (error, drift): (Int64, Int64) = (300_000, 40_000)
        let double = try #require(ClockSpeed(multiplier: 2))
        func path(over correlation: ClockCorrelation) throws -> ClockPath {
            let wall = ClockNode(parent: root, rate: .nanoseconds, correlation: correlation)
            let timeline = ClockNode(
                parent: wall, rate: .nanoseconds,
                correlation: ClockCorrelation(parentTicks: 0, ticks: 0, speed: double))
            return try #require(root.path(to: timeline))
        }
        let believed = try path(
            over: ClockCorrelation(parentTicks: 0, ticks: 0, bound: ErrorBound(Nanoseconds(error), growth: drift)))
        let speed = try #require(ClockSpeed(partsPerBillion: 1_000_000_000 + sign * drift))
        let real = try path(over: ClockCorrelation(parentTicks: 0, ticks: sign * error, speed: speed))
        for second in 0..<100 as Range<Int64> {
            let now = second * 1_000_000_000
            let (says, isReally) = (try #require(believed.convert(now)), try #require(real.convert(now)))
            let bound = try #require(believed.bound(at: now)).count
            #expect((says - isReally).magnitude <= bound)
            #expect((says - isReally).magnitude + 2 >= bound, "no more than that is possible")
        }
    }

    /// Each clock more on the way adds to the bound, and time adds to it.
    @Test(arguments: Effort.seeds(200)) func neverShrinks(seed: UInt64) throws {
        var clocks = RandomClocks(seed: seed, hasPaused: true)
        for _ in 0..<40 {
            let (from, to) = clocks.pair()
            // Down or up along one line of ancestors, clock by clock.
            for line in [RandomClocks.line(to), RandomClocks.line(from).reversed()] {
                let first = try #require(line.first)
                let ticks = Int64.random(in: -1_000_000_000...1_000_000_000, using: &clocks.random)
                var last = Nanoseconds.zero
                for clock in line {
                    guard let bound = first.path(to: clock)?.bound(at: ticks) else { break }
                    #expect(bound >= last)
                    last = bound
                }
            }
        }
        // On the way down all correlation points are fixed: away from the last one time only adds.
        for clock in clocks.all.dropFirst() {
            let (parent, correlation) = (try #require(clock.parent), try #require(clock.correlation))
            let path = try #require(parent.path(to: clock))
            for sign in [-1, 1] as [Int64] {
                var (ticks, last) = (correlation.parentTicks, Nanoseconds.zero)
                while let bound = path.bound(at: ticks), (ticks - correlation.parentTicks).magnitude < 1 << 50 {
                    #expect(bound >= last && bound >= correlation.bound.initial)
                    last = bound
                    ticks += sign * .random(in: 1...1 << 46, using: &clocks.random)
                }
            }
        }
    }
}
