// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// SVM-129, G-10: whatever happens to the disk, the network and the process, every report that was on the disk arrives
/// once or is counted as lost, and a report is lost only to the bounds.
@Suite struct SpoolModelTests {
    /// How a run is made: tight bounds, and what goes wrong.
    private struct Plan {
        let isTight: Bool
        let losesPower: Bool
        let hasBadDisk: Bool

        init(_ seed: UInt64) {
            (isTight, losesPower, hasBadDisk) = (seed & 1 != 0, seed & 2 != 0, seed & 4 != 0)
        }

        var options: SpoolOptions {
            var options = SpoolOptions()
            options.segmentOctets = 1_024
            if isTight {
                (options.mostOctets, options.mostUnwrittenOctets) = (4_096, 1_500)
                options.longestAge = .seconds(3_600)
            }
            return options
        }
    }

    /// What all runs together have seen.
    private struct Seen {
        var (reports, lost, starts, powerCuts, failures, settled): (Int64, Int64, Int, Int, Int64, Int) = (
            0, 0, 0, 0, 0, 0
        )
    }

    @Test func nothingThatWasPromisedIsLost() {
        var seen = Seen()
        for seed in Effort.seeds(2_000) {
            let plan = Plan(seed)
            let world = SpoolWorld(plan.options, seed: seed &+ Effort.seed &* 1_000_003)
            (world.badNetwork, world.losesPower) = (seed % 3 == 0 ? 0 : 25, plan.losesPower)
            for _ in 0..<120 {
                world.perform(Self.action(plan, &world.random))
                seen.failures = max(seen.failures, world.spool.counters.diskFailures)
                if plan.hasBadDisk { Self.disturb(world.disk, &world.random) }
            }
            let isDrained = world.drain()
            #expect(isDrained, "seed \(seed): \(world.spool.counters), \(world.spool.problem ?? "well")")
            #expect(world.errors.isEmpty, "seed \(seed): \(world.errors)")
            if !plan.isTight {
                #expect(world.missing.isEmpty, "seed \(seed)")
                // A hole that a loss of power left counts, though what was there was not promised.
                #expect(world.powerCuts > 0 || world.spool.counters.lost == 0, "seed \(seed)")
            }
            seen.reports += Int64(world.made.count)
            seen.lost += world.spool.counters.lost
            seen.settled += world.acknowledged.count
            seen.starts += world.starts
            seen.powerCuts += world.powerCuts
        }
        print("reports: \(seen)")
        guard !Effort.isReduced else { return }
        #expect(seen.lost > 500 && seen.settled > 50_000 && seen.starts > 2_000 && seen.powerCuts > 500)
        #expect(seen.failures > 3)
    }

    private static func action(_ plan: Plan, _ random: inout SplitMix64) -> SpoolWorld.Action {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<38: .report(.state, octets: .random(in: 0...200, using: &random))
        case 38..<45: .report(.event, octets: .random(in: 0...40, using: &random))
        case 45..<62: .wait(.milliseconds(.random(in: 0...3_000, using: &random)))
        case 62..<66: .wait(.seconds(.random(in: 5...60, using: &random)))
        case 66: .wait(.seconds(plan.isTight ? .random(in: 600...1_800, using: &random) : 60))
        case 67..<82: .send
        case 82..<98: .deliver
        case 98: .kill
        default: plan.losesPower ? .losePower : .kill
        }
    }

    private static func disturb(_ disk: FakeDisk, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: disk.capacity = disk.used + Int.random(in: 0...500, using: &random)
        case 1..<4: disk.capacity = .max
        case 4: disk.isReadOnly = true
        case 5..<8: disk.isReadOnly = false
        case 8..<14:
            disk.faults[disk.steps + Int.random(in: 1...8, using: &random)] = random.one(of: FakeDisk.Fault.allCases)
        default: break
        }
    }
}
