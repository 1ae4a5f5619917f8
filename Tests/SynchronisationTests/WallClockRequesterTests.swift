// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct WallClockRequesterTests {
    @Test func asksInABurstAndThenSeldom() {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 1)
        simulation.run(until: .milliseconds(400))
        #expect(simulation.requester.state == .locked)
        let burst = simulation.requester.counters.requests
        #expect((16...18).contains(burst))
        // The dispersion of two clocks of 50 ppm grows by 0.1 ms a second, so the longest interval is enough.
        simulation.run(until: .milliseconds(60_400))
        #expect((59...61).contains(simulation.requester.counters.requests - burst))
    }

    @Test func asksAsOftenAsTheDispersionNeeds() {
        func requests(_ network: SimulatedNetwork, _ server: FrequencyError) -> UInt64 {
            var simulation = SimulatedWallClock(network, .none, seed: 2)
            simulation.server.frequencyError = server
            simulation.run(until: .seconds(61))
            return simulation.requester.counters.requests
        }
        let (exact, poor, wifi) = (
            requests(.kernelStamps, .ppm(50)), requests(.kernelStamps, .ppm(2_000)), requests(.wifi, .ppm(500))
        )
        #expect(exact < 80)
        // 2 ms a second: the dispersion has grown to 1 ms after half a second.
        #expect((120...160).contains(poor))
        // On WiFi it is never so little.
        #expect(wifi > 280)
    }

    @Test func aSilentServerIsReportedAndAskedSeldom() {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 3)
        simulation.isSilent = true
        simulation.run(until: .seconds(60))
        #expect(simulation.events.map(\.event) == [.lost])
        #expect(simulation.requester.clock == nil && simulation.requester.estimate == nil)
        let counters = simulation.requester.counters
        #expect((55...75).contains(counters.requests))
        #expect(counters.timeouts + 2 >= counters.requests)
        simulation.isSilent = false
        simulation.run(until: .seconds(62))
        #expect(simulation.events.map(\.event) == [.lost, .regained, .acquired])
    }

    @Test func aLostServerIsRegainedWithoutAStep() {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 4)
        simulation.run(until: .seconds(60))
        simulation.isSilent = true
        simulation.run(until: .seconds(120))
        #expect(simulation.events.map(\.event) == [.acquired, .lost])
        #expect((.seconds(62)...Nanoseconds.seconds(65)).contains(simulation.events[1].at))
        let clock = simulation.requester.clock
        let error = (clock?.offset(at: simulation.now) ?? 0) - simulation.trueOffset(at: simulation.now)
        // The drift is known to a ppm.
        #expect(error.magnitude < 60_000)
        // The clocks' errors may add up to 0.1 ms a second, and 0.05 of it in one direction is the drift.
        let dispersion = clock?.dispersion(at: simulation.now) ?? .zero
        #expect((.microseconds(8_500)...Nanoseconds.microseconds(9_500)).contains(dispersion))
        simulation.isSilent = false
        simulation.run(until: .seconds(125))
        #expect(simulation.events.map(\.event) == [.acquired, .lost, .regained])
        #expect(simulation.requester.counters.serversLost == 1)
        #expect(simulation.requester.counters.clockSteps == 0)
    }

    @Test(arguments: [-5_000_000_000, 40_000_000, 3_600_000_000_000] as [Int64])
    func aStepOfTheServersClockIsFollowed(step: Int64) {
        for network in WallClockAccuracyTests.networks {
            var simulation = SimulatedWallClock(network, .slow, seed: 5)
            simulation.run(until: .seconds(30))
            simulation.step(by: step)
            simulation.run(until: .seconds(33))
            guard case .serverStepped(let span) = simulation.events.dropFirst().first?.event else {
                Issue.record("\(simulation.events)")
                continue
            }
            #expect((span.count - step).magnitude < 15_000_000)
            #expect(simulation.events[1].at < .milliseconds(31_500))
            #expect(simulation.requester.counters.serverSteps == 1)
            #expect(simulation.requester.counters.clockSteps >= 1)
            let clock = simulation.requester.clock
            let error = (clock?.offset(at: simulation.now) ?? 0) - simulation.trueOffset(at: simulation.now)
            #expect(Nanoseconds(error).magnitude <= clock?.dispersion(at: simulation.now) ?? .zero)
            #expect(error.magnitude < 3_000_000)
        }
    }

    /// A server's clock that stops while its machine sleeps.
    @Test func aSleepingServerIsLostAndItsClockHasStepped() {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 6)
        simulation.run(until: .seconds(20))
        simulation.isSilent = true
        simulation.run(until: .seconds(50))
        simulation.step(by: -30_000_000_000)
        simulation.isSilent = false
        simulation.run(until: .seconds(53))
        let kinds = simulation.events.map(\.event)
        #expect(kinds.prefix(3) == [.acquired, .lost, .regained])
        #expect(kinds.count == 5)
        #expect(simulation.requester.counters.serverSteps == 1)
        let error =
            (simulation.requester.clock?.offset(at: simulation.now) ?? 0)
            - simulation.trueOffset(at: simulation.now)
        #expect(error.magnitude < 100_000)
    }

    @Test func aChangeOfAddressForgetsTheServerAndKeepsTheClock() {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 7)
        simulation.run(until: .seconds(10))
        simulation.changeAddress()
        #expect(simulation.requester.state == .acquiring)
        #expect(simulation.requester.estimate == nil)
        #expect(simulation.requester.clock != nil)
        simulation.run(until: .seconds(11))
        // The same server by another address: nothing has moved.
        #expect(simulation.events.map(\.event) == [.acquired, .acquired])
        #expect(simulation.requester.counters.clockSteps == 0)
        simulation.step(by: 7_000_000_000)
        simulation.changeAddress()
        simulation.run(until: .seconds(12))
        #expect(simulation.events.count == 4)
        #expect(simulation.requester.counters.clockSteps == 1)
        #expect(simulation.requester.counters.serverSteps == 0)
    }

    @Test func atMostFourRequestsAreOutstanding() {
        var simulation = SimulatedWallClock(.wifi, .none, seed: 8)
        simulation.isSilent = true
        while simulation.requester.nextTick < simulation.now + .milliseconds(900) { simulation.advance() }
        #expect(simulation.requester.counters.requests == 4)
        #expect(simulation.requester.counters.timeouts == 0)
    }

    @Test func aLocalClockThatRunsBackwardsIsNoticed() {
        var simulation = SimulatedWallClock(.kernelStamps, .none, seed: 9)
        simulation.run(until: .seconds(5))
        let before = simulation.now - .seconds(3_600)
        // A little is overlooked.
        _ = simulation.requester.tick(at: simulation.now - .milliseconds(10))
        #expect(simulation.requester.counters.localStepsBack == 0)
        let actions = simulation.requester.tick(at: before)
        #expect(simulation.requester.counters.localStepsBack == 1)
        #expect(simulation.requester.state == .acquiring)
        #expect(simulation.requester.clock == nil)
        #expect(actions == [.send(originate: before)])
    }
}
