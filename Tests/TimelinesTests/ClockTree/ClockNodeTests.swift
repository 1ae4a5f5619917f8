// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct ClockNodeTests {
    /// CSS-21: the timeline starts when the wall clock is available. CSS-22, CSS-23: the player goes with its timeline.
    @Test func availabilityIsInherited() throws {
        let root = ClockNode()
        let wall = ClockNode(parent: root, rate: .nanoseconds)
        let timeline = ClockNode(parent: wall, rate: ClockRate(.mpeg))
        let medium = ClockNode(
            parent: timeline, rate: ClockRate(.mpeg), correlation: ClockCorrelation(parentTicks: 0, ticks: 0))
        let vblanks = ClockNode(parent: root, rate: .nanoseconds)
        for clock in [timeline, medium, vblanks] { clock.setAvailable(true) }
        #expect(root.isAvailable && vblanks.isAvailable)
        #expect(!wall.isAvailable && !timeline.isAvailable && !medium.isAvailable)
        wall.setAvailable(true)
        #expect(medium.isAvailable && medium.path(to: vblanks)?.isAvailable == true)
        timeline.step(to: ClockCorrelation(parentTicks: 1_000, ticks: 90))
        timeline.setAvailable(false)
        #expect(wall.isAvailable && !medium.isAvailable && medium.path(to: root)?.isAvailable == false)
        #expect(root.path(to: medium)?.convert(1_000_001_000) == 90_090, "an unavailable clock runs on")
        vblanks.setAvailable(false)
        #expect(wall.path(to: vblanks)?.isAvailable == false)
    }

    @Test(arguments: Effort.seeds(100)) func everyChangeIsCountedOnce(seed: UInt64) throws {
        var clocks = RandomClocks(seed: seed, hasPaused: true)
        var availability = [Bool](repeating: false, count: clocks.all.count)
        for _ in 0..<100 {
            let before = clocks.all.map(\.changeCount)
            let paths = clocks.all.map { $0.path(to: clocks.all[0]) }
            let index = Int.random(in: 1..<clocks.all.count, using: &clocks.random)
            let clock = clocks.all[index]
            let correlation = try #require(clock.correlation)
            var isChange = true
            switch Int.random(in: 0..<6, using: &clocks.random) {
            case 0:
                availability[index].toggle()
                clock.setAvailable(availability[index])
            case 1: clock.step(to: clocks.correlation(of: clock, hasPaused: true))
            case 2: clock.slew(to: clocks.correlation(of: clock, hasPaused: true), from: 0, limit: 500_000)
            // A television repeats its control timestamp: nothing has changed.
            case 3:
                clock.setAvailable(availability[index])
                isChange = false
            case 4:
                clock.slew(to: correlation, from: 5, limit: 500_000)
                isChange = false
            default:
                clock.step(to: correlation)
                clock.step(to: correlation)
                // The first of the two ends a slew, if there is one.
                isChange = clock.changeCount != before[index]
            }
            for (number, other) in clocks.all.enumerated() {
                let isConcerned = RandomClocks.line(other).contains { $0 === clock }
                #expect(other.changeCount == before[number] + (isChange && isConcerned ? 1 : 0))
                let path = try #require(other.path(to: clocks.all[0]))
                #expect((path != paths[number]) == (isChange && isConcerned))
                #expect(path.changeCount == other.changeCount)
            }
        }
    }

    @Test func clocksOfDifferentTreesHaveNoPath() {
        let (one, other) = (ClockNode(), ClockNode())
        let child = ClockNode(parent: one, rate: .nanoseconds)
        let stranger = ClockNode(parent: other, rate: .nanoseconds)
        #expect(one.path(to: other) == nil && child.path(to: other) == nil && child.path(to: stranger) == nil)
        #expect(other.path(to: child) == nil && child.path(to: one) != nil)
    }

    /// A timeline that is replaced goes with its media, and its ancestors stay.
    @Test func aClockGoesWhenNothingUsesIt() {
        let root = ClockNode()
        weak var timeline: ClockNode?
        do {
            let made = ClockNode(parent: root, rate: .nanoseconds)
            timeline = made
            let medium = ClockNode(parent: made, rate: .nanoseconds)
            #expect(medium.parent === timeline)
        }
        #expect(timeline == nil)
    }

    @Test func aPathConvertsOnAnotherThread() async throws {
        let root = ClockNode()
        let wall = ClockNode(
            parent: root, rate: .nanoseconds, correlation: ClockCorrelation(parentTicks: 0, ticks: 1_000))
        let path = try #require(root.path(to: wall))
        let converted = Task.detached { path.convert(1) }
        #expect(await converted.value == 1_001)
    }
}
