// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct WallClockAccuracyTests {
    static let networks: [SimulatedNetwork] = [.wifi, .lateStamps, .kernelStamps]
    static let drifts: [SimulatedDrift] = [.none, .fast, .slow, .changing]

    private struct Trace {
        var ours = Errors()
        var theirs = Errors()
        var violations = 0
    }

    /// Both algorithms see the same candidates, with pydvbcss' pacing and its clocks of 500 ppm.
    private static func compare(_ network: SimulatedNetwork, _ drift: SimulatedDrift, seed: UInt64) -> Trace {
        var random = SplitMix64(seed: seed)
        var result = Trace()
        let quality = ClockQuality(precision: Nanoseconds(1), frequencyError: .ppm(500))
        var estimator = WallClockEstimator(local: quality)
        var lowest = LowestDispersion(error: .ppm(1_000))
        var now: Int64 = 0
        for number in 0..<500 {
            let (there, held, back) = network.exchange(&random)
            let (received, sent, arrival) = (now + there, now + there + held, now + there + held + back)
            let candidate = WallClockCandidate(
                requestSent: Monotonic(nanoseconds: now),
                requestReceived: WallClockInstant(nanoseconds: received + drift.offset(received) + 1_000_000_000),
                responseSent: WallClockInstant(nanoseconds: sent + drift.offset(sent) + 1_000_000_000),
                responseReceived: Monotonic(nanoseconds: arrival), server: quality)
            _ = estimator.add(candidate)
            let isBetter = lowest.add(candidate)
            let gap: Int64 = number < 16 ? 25_000_000 : isBetter ? 1_000_000_000 : 200_000_000
            for part in [0, gap / 2, gap - 1] where number >= 16 {
                let instant = Monotonic(nanoseconds: arrival + part)
                let truth = 1_000_000_000 + drift.offset(arrival + part)
                guard let estimate = estimator.estimate else { continue }
                let error = estimate.offset(at: instant) - truth
                result.ours.add(error)
                result.theirs.add(lowest.offset - truth)
                if abs(error) > estimate.dispersion(at: instant).count { result.violations += 1 }
            }
            now = arrival + gap
        }
        return result
    }

    @Test(arguments: networks, drifts)
    func isMoreAccurateThanLowestDispersion(network: SimulatedNetwork, drift: SimulatedDrift) {
        var (ours, theirs) = (Errors(), Errors())
        for seed in Effort.seeds(4) {
            let trace = Self.compare(network, drift, seed: seed &+ Effort.seed)
            #expect(trace.violations == 0, "seed \(seed)")
            ours.add(trace.ours)
            theirs.add(trace.theirs)
        }
        #expect(
            Double(ours.median) <= 0.35 * Double(theirs.median),
            "median \(ours.median) ns, of lowest dispersion \(theirs.median) ns")
        #expect(
            Double(ours.nearlyAll) <= 0.5 * Double(theirs.nearlyAll),
            "p99 \(ours.nearlyAll) ns, of lowest dispersion \(theirs.nearlyAll) ns")
    }

    /// Nobody can see a constant difference of the delays: half of it is the error, and the dispersion covers it.
    @Test func aConstantDifferenceOfTheDelaysIsWithinTheDispersion() {
        let trace = Self.compare(.unevenStamps, .none, seed: 7)
        #expect(trace.violations == 0)
        #expect((35_000...45_000).contains(trace.ours.median))
    }

    /// A hundredth of a million requests; TOUCHLINE_EFFORT=100 is all of them.
    @Test(arguments: [SimulatedDrift.fast, .slow, .changing])
    func isWithinTheDispersionOnWiFi(drift: SimulatedDrift) {
        var (estimated, given) = (Errors(), Errors())
        var violations = 0
        for seed in Effort.seeds(4) {
            var simulation = SimulatedWallClock(.wifi, drift, seed: seed &+ Effort.seed)
            simulation.lost = 1
            while simulation.answered < 900 {
                simulation.advance()
                guard let clock = simulation.requester.clock, let estimate = simulation.requester.estimate else {
                    continue
                }
                for later in [.zero, .milliseconds(150)] as [Nanoseconds] {
                    let instant = simulation.now + later
                    let truth = simulation.trueOffset(at: instant)
                    let (error, errorGiven) = (estimate.offset(at: instant) - truth, clock.offset(at: instant) - truth)
                    estimated.add(error)
                    given.add(errorGiven)
                    if error.magnitude > estimate.dispersion(at: instant).count { violations += 1 }
                    if errorGiven.magnitude > clock.dispersion(at: instant).count { violations += 1 }
                }
            }
            #expect(simulation.requester.counters.serverSteps == 0)
            #expect(simulation.requester.counters.candidatesRefused == 0)
        }
        #expect(violations == 0)
        #expect(estimated.nearlyAll <= 1_000_000, "p99 \(estimated.nearlyAll) ns")
        #expect(given.nearlyAll <= 1_000_000, "p99 \(given.nearlyAll) ns")
    }

    @Test(arguments: networks, drifts)
    func isLockedWithinASecond(network: SimulatedNetwork, drift: SimulatedDrift) {
        for seed in Effort.seeds(20) {
            var simulation = SimulatedWallClock(network, drift, seed: seed &+ Effort.seed)
            simulation.lost = 10
            while simulation.requester.clock == nil, simulation.elapsed < .seconds(5) { simulation.advance() }
            #expect(simulation.elapsed < .seconds(1))
            #expect(simulation.events.map(\.event) == [.acquired])
            let error = simulation.requester.clock.map {
                ($0.offset(at: simulation.now) - simulation.trueOffset(at: simulation.now)).magnitude
            }
            #expect(error ?? .max < 3_000_000)
        }
    }

    /// After two minutes the drift is known to 5 ppm on WiFi, and to 0.5 ppm by the kernel's stamps.
    @Test(arguments: [SimulatedDrift.none, .fast, .slow]) func knowsTheDrift(drift: SimulatedDrift) {
        for (network, within) in [(SimulatedNetwork.wifi, 5_000), (.kernelStamps, 500)] as [(SimulatedNetwork, Int64)] {
            var simulation = SimulatedWallClock(network, drift, seed: 3)
            simulation.run(until: .seconds(120))
            let known = simulation.requester.estimate?.drift ?? .max
            let truth = drift.offset(1_000_000_000)
            #expect((known &- truth).magnitude <= within.magnitude, "\(network): \(known) ns/s, is \(truth) ns/s")
        }
    }
}
