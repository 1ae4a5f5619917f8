// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Synchronisation

@Suite struct ClockDoubtTests {
    private static func instant(_ seconds: Int64) -> Monotonic { Monotonic(nanoseconds: seconds * 1_000_000_000) }

    /// A doubt that can be asked within an expectation.
    private final class Doubt {
        private var doubt = ClockDoubt()

        func isBroken(by counters: WallClockRequesterCounters, at now: Monotonic) -> Bool {
            doubt.isBroken(by: counters, at: now)
        }
    }

    @Test func stepsAreForgivenUnlessTheyAreMany() {
        let doubt = Doubt()
        var counters = WallClockRequesterCounters()
        counters.candidatesAccepted = 10
        #expect(!doubt.isBroken(by: counters, at: Self.instant(0)))
        counters.serverSteps = 1
        #expect(!doubt.isBroken(by: counters, at: Self.instant(1)))
        counters.serverSteps = 2
        #expect(!doubt.isBroken(by: counters, at: Self.instant(2)))
        #expect(!doubt.isBroken(by: counters, at: Self.instant(3)), "no step is counted twice")
        counters.serverSteps = 3
        #expect(!doubt.isBroken(by: counters, at: Self.instant(61)), "the first one is forgotten")
        counters.serverSteps = 5
        #expect(doubt.isBroken(by: counters, at: Self.instant(70)))
    }

    @Test func whatCannotBeIsNoClock() {
        let doubt = Doubt()
        var counters = WallClockRequesterCounters()
        counters.candidatesRefused = 11
        #expect(!doubt.isBroken(by: counters, at: Self.instant(1)))
        counters.candidatesRefused = 12
        #expect(doubt.isBroken(by: counters, at: Self.instant(1)))
        counters.candidatesAccepted = 1
        #expect(!doubt.isBroken(by: counters, at: Self.instant(1)), "some were right")
    }

    /// As the requester counts it: a server whose clock steps by a second, each ten seconds.
    @Test func aClockThatStepsAboutIsFound() {
        var simulation = SimulatedWallClock(.wifi, .fast, seed: 7)
        let doubt = Doubt()
        var broken: [Bool] = []
        for ten in 1...4 as ClosedRange<Int64> {
            simulation.run(until: .seconds(10 * ten))
            broken.append(doubt.isBroken(by: simulation.requester.counters, at: simulation.now))
            simulation.step(by: 1_000_000_000)
        }
        #expect(broken == [false, false, false, true])
    }

    @Test(arguments: [SimulatedNetwork.wifi, .lateStamps, .kernelStamps])
    func aGoodClockIsNotDoubted(network: SimulatedNetwork) {
        var simulation = SimulatedWallClock(network, .changing, seed: 3)
        let doubt = Doubt()
        simulation.run(until: .seconds(600)) { simulation in
            #expect(!doubt.isBroken(by: simulation.requester.counters, at: simulation.now))
        }
    }
}
