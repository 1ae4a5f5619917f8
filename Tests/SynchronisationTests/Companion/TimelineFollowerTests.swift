// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

@Suite struct TimelineFollowerTests {
    private static func instant(_ nanoseconds: Int64) -> WallClockInstant { WallClockInstant(nanoseconds: nanoseconds) }

    private static func follower(_ properties: TimelineProperties = TimelineProperties(.mpeg)) -> TimelineFollower {
        TimelineFollower(TimelineOption(.pts, properties))
    }

    /// The reference drops a pause whose instant is that of the timestamp before.
    @Test func aPauseWithTheSameInstantIsTaken() {
        var follower = Self.follower()
        #expect(follower.receive(CompanionScript.timestamp(1_000, 90)) == .taken)
        #expect(follower.receive(CompanionScript.timestamp(1_000, 90, 0)) == .taken)
        #expect(follower.timeline?.isPaused == true)
        #expect(follower.timeline?.position(at: Self.instant(9_000_000_000)) == 90)
        #expect(follower.timeline?.instant(of: 90) == nil)
        #expect(follower.receive(CompanionScript.timestamp(1_000, 90, -2)) == .taken)
        #expect(follower.timeline?.position(at: Self.instant(1_000_001_000)) == -179_910)
        #expect(follower.backwards == 0)
    }

    /// Corrections below 0.1 ms do not move anything, but they do not add up unseen either.
    @Test func smallCorrectionsAreNotTaken() {
        var follower = Self.follower()
        _ = follower.receive(CompanionScript.timestamp(0, 0))
        for second in 1...4 as ClosedRange<Int64> {
            #expect(
                follower.receive(CompanionScript.timestamp(second * 1_000_000_000, second * 90_000 + second * 2))
                    == .insignificant)
        }
        #expect(follower.timeline?.position(at: Self.instant(4_000_000_000)) == 360_000)
        #expect(follower.receive(CompanionScript.timestamp(5_000_000_000, 450_010)) == .taken)
        #expect(follower.timeline?.position(at: Self.instant(5_000_000_000)) == 450_010)
        // A speed is taken however small the difference is.
        #expect(follower.receive(CompanionScript.timestamp(5_000_000_000, 450_010, 1.0000001)) == .taken)
    }

    @Test func timesThatRunBackwardsAreCounted() {
        var script = CompanionScript()
        script.follow()
        script.receive(CompanionScript.timestamp(5_000_000_000, 1_350_000))
        script.receive(CompanionScript.timestamp(1_000_000_000, 7))
        script.receive(CompanionScript.timestamp(.min, 7))
        script.receive(CompanionScript.timestamp(.max, .max))
        #expect(script.session.counters.timestampsBackwards == 2)
        #expect(script.session.counters.timestampsInsignificant == 1)
        #expect(script.session.phase == .following)
    }

    @Test(arguments: ["1e300", "-1001", "1000.0001", "\"fast\"", "null", "[]"]) func absurdSpeedsAreCounted(
        speed: String
    ) {
        var script = CompanionScript()
        script.follow()
        let before = script.session.timeline
        script.receive(
            .timeline, text: "{\"contentTime\":\"1\",\"wallClockTime\":\"1\",\"timelineSpeedMultiplier\":\(speed)}")
        #expect(script.session.counters.timestampsMalformed == 1)
        #expect(script.session.timeline == before && script.take().events.isEmpty)
    }

    /// Far from the epoch, where binary fractions of a second have steps of 256 ns.
    @Test(
        arguments: [
            (1, 90_000, 0, 0), (1, 90_000, 1_000_000_000, 90_000), (1_001, 30_000, 86_400_000_000_000, 2_589_411),
            (1, 1_000, 1_499_999, 1), (1, 1_000, 1_500_000, 2), (1, 5_000, -1_000_000_000, -5_000),
        ] as [(Int64, Int64, Int64, Int64)])
    func positionsAreExact(unitsPerTick: Int64, unitsPerSecond: Int64, elapsed: Int64, ticks: Int64) {
        let epoch: Int64 = 1_700_000_000_123_456_789
        var follower = Self.follower(TimelineProperties(unitsPerTick: unitsPerTick, unitsPerSecond: unitsPerSecond))
        _ = follower.receive(CompanionScript.timestamp(epoch, 1_000))
        #expect(follower.timeline?.position(at: Self.instant(epoch + elapsed)) == 1_000 + ticks)
    }

    /// The clock of the tree that an owner makes of it is the same.
    @Test(arguments: Effort.seeds(100)) func theClockTreeAgrees(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let properties = TimelineProperties(
            unitsPerTick: Int64.random(in: 1...2_000, using: &random),
            unitsPerSecond: Int64.random(in: 1...100_000, using: &random),
            accuracy: Double.random(in: 0...1, using: &random))
        var follower = Self.follower(properties)
        let start = Int64.random(in: 0...1_700_000_000_000_000_000, using: &random)
        _ = follower.receive(
            CompanionScript.timestamp(
                start, Int64.random(in: -1_000_000...1_000_000, using: &random),
                Double.random(in: -3...3, using: &random)))
        let timeline = try #require(follower.timeline)
        let root = ClockNode()
        let wallClock = ClockNode(parent: root, rate: .nanoseconds)
        let dispersion = Nanoseconds(Int64.random(in: 0...10_000_000, using: &random))
        wallClock.step(to: ClockCorrelation(parentTicks: 0, ticks: 0, bound: ErrorBound(dispersion)))
        let clock = ClockNode(parent: wallClock, rate: timeline.rate, correlation: timeline.correlation)
        let path = try #require(root.path(to: clock))
        for _ in 0..<50 {
            let instant = start + Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
            #expect(timeline.position(at: Self.instant(instant)) == path.convert(instant))
            let bound = try #require(timeline.bound(at: Self.instant(instant), dispersion: dispersion))
            let other = try #require(path.bound(at: instant))
            // Each is rounded up for itself.
            #expect(bound >= other && bound <= other + Nanoseconds(2))
            // And within it lies what the wire type computes, which rounds down.
            let position = timeline.timestamp.position(at: WallClockTime(nanoseconds: instant), on: properties)
            let difference = try #require(position) - (timeline.position(at: Self.instant(instant)) ?? .max)
            #expect((-1...0).contains(difference))
        }
    }

    @Test func theBoundHasAllThatMayBeWrong() {
        var follower = Self.follower(TimelineProperties(unitsPerSecond: 1_000, accuracy: 0.01))
        _ = follower.receive(CompanionScript.timestamp(0, 0))
        let own: Int64 = 10_000_000 + 1_000_000 + 100_000
        let instant = Self.instant(5_000_000_000)
        #expect(follower.timeline?.bound(at: instant, dispersion: .milliseconds(2))?.count == own + 2_000_000)
        #expect(follower.timeline?.bound(at: instant, dispersion: Nanoseconds(.max))?.count == .max)
        _ = follower.receive(CompanionScript.timestamp(0, 0, 2))
        #expect(follower.timeline?.bound(at: instant, dispersion: .milliseconds(2))?.count == 2 * own + 4_000_000)
        // At half speed bounds do not shrink.
        _ = follower.receive(CompanionScript.timestamp(0, 0, 0.5))
        #expect(follower.timeline?.bound(at: instant, dispersion: .milliseconds(2))?.count == own + 2_000_000)
        follower.propertiesChanged(
            to: TimelineProperties(unitsPerTick: 1_000_000_000, unitsPerSecond: 1, accuracy: 1e300))
        #expect(follower.timeline?.bound(at: instant, dispersion: .zero)?.count == .max)
        #expect(follower.timeline?.position(at: Self.instant(.max)) != nil)
    }

    @Test func placesBeyondAllTicksHaveNoPosition() {
        var follower = Self.follower()
        _ = follower.receive(CompanionScript.timestamp(0, .max, 1_000))
        #expect(follower.timeline?.position(at: Self.instant(1_000_000_000)) == nil)
        #expect(follower.timeline?.bound(at: Self.instant(1_000_000_000), dispersion: .zero) == nil)
        #expect(follower.timeline?.position(at: Self.instant(-1_000_000_000)) == 9_223_372_036_764_775_807)
        #expect(follower.timeline?.instant(of: .max)?.nanoseconds == 0)
    }
}
