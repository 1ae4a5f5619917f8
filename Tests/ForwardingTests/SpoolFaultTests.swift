// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Forwarding

/// The disk fails, or the process ends, at each step of a script in turn.
@Suite struct SpoolFaultTests {
    /// What happens to the box after the step.
    private enum Sequel: CaseIterable { case goesOn, losesPower }

    private static let script: [SpoolWorld.Action] = {
        var script: [SpoolWorld.Action] = []
        for round in 0..<6 {
            script += [
                .report(.state, octets: 180), .wait(.milliseconds(400)), .report(.event, octets: 60),
                .report(.state, octets: 150), .wait(.seconds(12)), .report(.state, octets: 150),
            ]
            // The reporter is not reached in every round, so that there is a backlog, and segments are given up.
            if round % 2 == 1 { script += [.send, .deliver, .wait(.seconds(1)), .send, .deliver, .wait(.seconds(31))] }
            if round == 3 { script += [.kill, .wait(.seconds(10)), .send, .deliver] }
        }
        return script
    }()

    private static var options: SpoolOptions {
        var options = SpoolOptions()
        (options.segmentOctets, options.mostOctets) = (600, 1_800)
        return options
    }

    private static func run(_ faults: [Int: FakeDisk.Fault], _ sequel: Sequel) -> SpoolWorld {
        let world = SpoolWorld(options, seed: 129)
        world.disk.faults = faults
        world.losesPower = sequel == .losesPower
        for action in script { world.perform(action) }
        return world
    }

    /// The script has every kind of step, and the bounds take something.
    @Test func theScriptDoesEverything() {
        let world = Self.run([:], .goesOn)
        #expect(
            Set(world.disk.stepsOf.filter { $0.value > 1 }.keys) == [
                "fsync", "fsync directory", "open", "read", "readdir", "rename", "unlink", "write",
            ])
        #expect(world.spool.counters.lost > 0 && !world.acknowledged.isEmpty && world.spool.problem == nil)
        let isDrained = world.drain()
        #expect(isDrained && world.errors.isEmpty, "\(world.errors)")
        #expect(world.disk.files.keys.filter { $0.hasSuffix(".new") }.isEmpty)
    }

    @Test(arguments: FakeDisk.Fault.allCases) func eachStepFails(_ fault: FakeDisk.Fault) {
        let steps = Self.run([:], .goesOn).disk.steps
        #expect(steps > 100)
        for step in 1...steps {
            for sequel in Sequel.allCases {
                let world = Self.run([step: fault], sequel)
                let isDrained = world.drain()
                #expect(isDrained, "step \(step): \(fault), \(sequel): \(world.spool.counters)")
                #expect(world.errors.isEmpty, "step \(step): \(fault), \(sequel): \(world.errors)")
            }
        }
    }

    /// The disk fails from a step on, until the script is over.
    @Test func theDiskFailsForLong() {
        let steps = Self.run([:], .goesOn).disk.steps
        for step in 1...steps {
            for fault in [FakeDisk.Fault.failure, .diskFull] {
                var faults: [Int: FakeDisk.Fault] = [:]
                for later in step..<step + 400 { faults[later] = fault }
                let world = Self.run(faults, .goesOn)
                #expect(world.spool.problem != nil, "step \(step): \(fault)")
                let isDrained = world.drain()
                #expect(isDrained, "from step \(step): \(fault): \(world.spool.counters)")
                #expect(world.errors.isEmpty, "from step \(step): \(fault): \(world.errors)")
            }
        }
    }
}
