// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Reports
import Simulating
import Testing
import Time

@testable import Simulator

/// A fleet against a reporter that is a few lines: it acknowledges everything after a while.
struct SimulatedFleetTests {
    private struct World {
        var fleet: SimulatedFleet
        var now = Monotonic(nanoseconds: 1_000_000_000_000)
        let began: Monotonic
        /// What the reporter has, by box, boot and sequence.
        var kept: Set<String> = []
        var doubled = 0
        var arrivals: [Int64: Int] = [:]

        init(_ stories: [SimulatedStory], boxCount: Int = 200, seed: UInt64 = 3, end: Int64) {
            began = now
            fleet = SimulatedFleet(
                SimulatedVenue(boxCount: boxCount, seed: 5, stories: stories), interval: .seconds(10), seed: seed,
                at: now,
                wall: WallTime(nanoseconds: 1_800_000_000_000_000_000))
            fleet.end = now + .seconds(end)
        }

        mutating func run(seconds: Int64) throws {
            let end = now + .seconds(seconds)
            while let due = fleet.nextDue, due <= end {
                now = max(now, due)
                for action in fleet.actions(until: now) {
                    guard case .send(let box, let request, let lines) = action else { continue }
                    let batch = try ReportBatch(
                        parsing: ReportBatch.octets(of: lines), of: fleet.venue.identifier(of: box))
                    #expect(batch.reports.count == lines.count && batch.refused.isEmpty && batch.unreadable.isEmpty)
                    arrivals[(now - began).seconds, default: 0] += lines.count
                    for report in batch.reports {
                        if !kept.insert("\(report.box) \(report.boot) \(report.sequence)").inserted { doubled += 1 }
                    }
                    let boot = batch.boot.flatMap { BootID($0) } ?? BootID(ordinal: 0, nonce: 0)
                    fleet.answered(
                        box, request, .judged(boot: boot, acknowledged: .all, refused: .none, retryAfter: nil), at: now)
                }
            }
            now = end
        }
    }

    @Test func everyReportIsAcknowledgedOnce() throws {
        var world = World([], end: 300)
        try world.run(seconds: 330)
        #expect((5_900...6_200).contains(world.fleet.counters.made))
        #expect(world.kept.count == world.fleet.counters.made && world.doubled == 0)
        #expect(world.fleet.counters.acknowledged == world.fleet.counters.made && world.fleet.pendingCount == 0)
        // Spread over the interval: no second has much more than its share of 20.
        #expect(world.arrivals.values.max() ?? 0 < 60)
    }

    /// The group is silent, and what it kept comes afterwards; the newest state of each first.
    @Test func aDeadSwitchLeavesABacklogThatComes() throws {
        var world = World([SimulatedStory(.deadSwitch, .seconds(60)..<Nanoseconds.seconds(360))], end: 900)
        try world.run(seconds: 355)
        #expect(world.fleet.pendingCount > 1_000)
        #expect(world.fleet.counters.failures > 100)
        try world.run(seconds: 900)
        #expect(world.fleet.pendingCount == 0 && world.kept.count == world.fleet.counters.made && world.doubled == 0)
    }

    @Test func aRolloutLosesNothing() throws {
        var world = World([SimulatedStory(.rollout, .seconds(60)..<Nanoseconds.seconds(120))], end: 300)
        try world.run(seconds: 330)
        #expect(world.fleet.pendingCount == 0 && world.kept.count == world.fleet.counters.made)
    }

    /// After an outage of an hour the boxes come back over the length of their longest pause.
    @Test func anOutageIsFollowedByNoRush() throws {
        var world = World(
            [SimulatedStory(.outage, .seconds(20)..<Nanoseconds.seconds(3_620))], boxCount: 30, end: 4_200)
        try world.run(seconds: 3_620)
        #expect(world.fleet.pendingCount > 10_000)
        try world.run(seconds: 700)
        #expect(world.fleet.pendingCount == 0 && world.kept.count == world.fleet.counters.made)
        // No more come in a second than a fifth of the boxes could send in it, five batches each.
        #expect(world.arrivals.values.max() ?? 0 < 30 / 5 * 500)
    }
}
