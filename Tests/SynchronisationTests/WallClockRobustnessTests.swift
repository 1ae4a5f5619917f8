// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct WallClockRobustnessTests {
    private static let absurd: [Int64] = [
        .min, .min + 1, -1, 0, 1, 1_000, 999_999_999, 1_000_000_000, 1 << 32, 4_294_967_295_999_999_999,
        4_294_967_296_000_000_000, 1 << 62, .max - 1, .max,
    ]

    private static func value(_ random: inout SplitMix64) -> Int64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: random.one(of: absurd)
        case 1: Int64(truncatingIfNeeded: random.next())
        case 2: Int64.random(in: 0...10_000_000_000, using: &random)
        default: SimulatedWallClock.start &+ Int64.random(in: -1_000_000...1_000_000_000, using: &random)
        }
    }

    private static func quality(_ random: inout SplitMix64) -> ClockQuality {
        guard random.percent(50) else {
            return ClockQuality(
                precision: Nanoseconds(value(&random)), frequencyError: FrequencyError(units: value(&random)))
        }
        return ClockQuality(precision: Nanoseconds(1_000), frequencyError: .ppm(500))
    }

    @Test(arguments: Effort.seeds(40)) func anyCandidatesAreSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var estimator = WallClockEstimator(local: SimulatedWallClock.local)
        var refused: Set<WallClockCandidate.Fault> = []
        for _ in 0..<1_000 {
            let candidate = WallClockCandidate(
                requestSent: Monotonic(nanoseconds: Self.value(&random)),
                requestReceived: WallClockInstant(nanoseconds: Self.value(&random)),
                responseSent: WallClockInstant(nanoseconds: Self.value(&random)),
                responseSentAtFirst: random.percent(50) ? nil : WallClockInstant(nanoseconds: Self.value(&random)),
                responseReceived: Monotonic(nanoseconds: Self.value(&random)), server: Self.quality(&random))
            if case .refused(let fault) = estimator.add(candidate) { refused.insert(fault) }
            guard let estimate = estimator.estimate else { continue }
            for instant in Self.absurd {
                #expect(estimate.dispersion(at: Monotonic(nanoseconds: instant)) >= .zero)
                _ = estimate.wallClock(at: Monotonic(nanoseconds: instant))
            }
        }
        if !Effort.isReduced { #expect(refused.count >= 5, "\(refused)") }
    }

    /// Whatever is given, requests stay bounded in number and can be written to the wire.
    @Test(arguments: Effort.seeds(60)) func anyEventsAreSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var requester = WallClockRequester(
            local: SimulatedWallClock.local, at: Monotonic(nanoseconds: SimulatedWallClock.start))
        var now = SimulatedWallClock.start
        var sent: [Monotonic] = []
        for _ in 0..<1_500 {
            now = random.percent(2) ? Self.value(&random) : now &+ Int64.random(in: 0...300_000_000, using: &random)
            let instant = Monotonic(nanoseconds: now)
            let originate = sent.last.map { random.percent(80) ? $0 : random.one(of: sent) } ?? instant
            var actions: [WallClockRequester.Action] = []
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: actions = requester.tick(at: instant)
            case 3: requester.requestSent(originate: originate, at: instant)
            case 4 where random.percent(3): actions = requester.addressChanged(at: instant)
            default:
                let isHonest = random.percent(70)
                let message = WallClockResponse(
                    random.one(of: [.response, .responseToBeFollowedUp, .followUp]), originate: originate,
                    requestReceived: WallClockInstant(nanoseconds: isHonest ? now &+ 1_000_000 : Self.value(&random)),
                    responseSent: WallClockInstant(nanoseconds: isHonest ? now &+ 1_000_000 : Self.value(&random)),
                    server: isHonest ? SimulatedWallClock.local : Self.quality(&random))
                actions = requester.responseReceived(message, at: instant)
            }
            for case .send(let originate) in actions {
                #expect(WallClockInstant(nanoseconds: originate.nanoseconds).isRepresentable)
                sent.append(originate)
            }
            if let clock = requester.clock { #expect(clock.dispersion(at: instant) >= .zero) }
        }
        #expect(requester.counters.requests == UInt64(sent.count))
        #expect(sent.count < 1_500)
    }

    /// A tick at `nextTick` does something: the caller's timer never spins.
    @Test(arguments: Effort.seeds(20)) func theTimerNeverSpins(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var simulation = SimulatedWallClock(random.one(of: WallClockAccuracyTests.networks), .fast, seed: seed)
        simulation.lost = 30
        var turns = 0
        while simulation.elapsed < .seconds(60), turns < 8_000 {
            if random.percent(1) { simulation.isSilent.toggle() }
            if random.percent(1) {
                simulation.step(by: Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
            }
            simulation.advance()
            turns += 1
        }
        // Not more than the requests, their responses, their timeouts, and a few changes of state.
        #expect(simulation.elapsed >= .seconds(60))
    }

    /// A single lie among honest candidates is suspected and changes nothing.
    @Test(arguments: [-1_000_000_000, -20_000_000, 20_000_000, 1_000_000_000] as [Int64])
    func aSingleLieIsNotFollowed(lie: Int64) {
        var simulation = SimulatedWallClock(.kernelStamps, .fast, seed: 11)
        simulation.run(until: .seconds(20))
        let before = simulation.requester.counters
        simulation.step(by: lie)
        while simulation.requester.counters.requests == before.requests { simulation.advance() }
        simulation.step(by: -lie)
        simulation.run(until: .seconds(40))
        #expect(simulation.requester.counters.candidatesSuspected == 1)
        #expect(simulation.requester.counters.serverSteps == 0)
        #expect(simulation.requester.counters.clockSteps == 0)
        let error =
            (simulation.requester.clock?.offset(at: simulation.now) ?? 0)
            - simulation.trueOffset(at: simulation.now)
        #expect(error.magnitude < 20_000)
    }

    /// A server with a clock that is worse than it says contradicts itself, which is noticed.
    @Test func aServerThatIsWorseThanItSaysIsNoticed() {
        var simulation = SimulatedWallClock(.kernelStamps, .constant(300_000), seed: 12)
        simulation.run(until: .seconds(60))
        #expect(simulation.requester.counters.candidatesSuspected > 5)
        let error =
            (simulation.requester.clock?.offset(at: simulation.now) ?? 0)
            - simulation.trueOffset(at: simulation.now)
        #expect(error.magnitude < 2_000_000)
    }
}
