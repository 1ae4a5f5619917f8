// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

/// The strategy that is the default (CSS-01, CSS-11, C11): by rate, and by a jump only for what is large.
@Suite struct SyncControllerAdaptTests {
    /// A session that has followed a timeline for half a minute.
    private static func locked(drift: Double = 30, seed: UInt64, interval: Int64 = 200) -> SimulatedSession {
        var session = SimulatedSession(late: .milliseconds(700), seed: seed)
        session.measurementInterval = .milliseconds(interval)
        session.drift = drift
        session.start()
        session.moves()
        session.run(for: .seconds(30))
        return session
    }

    @Test(arguments: Effort.seeds(20)) func isAcquiredByOneJumpWithinASecond(seed: UInt64) {
        for late in [-2_000_000, -100_000, -30_000, 30_000, 90_000, 2_000_000] as [Int64] {
            var session = SimulatedSession(late: .microseconds(late), seed: seed &+ Effort.seed)
            session.start()
            session.moves()
            session.run(for: .seconds(1))
            #expect(session.jumps.count == 1)
            #expect(session.late.magnitude < .milliseconds(1), "\(late) µs: \(session.late)")
            session.run(for: .seconds(60))
            #expect(session.jumps.count == 1)
            #expect(session.controller.state == .running)
        }
    }

    /// CSS-09: within 20 ms nothing is corrected.
    @Test(arguments: [-10, 10] as [Int64], [true, false])
    func aStepOfTenMillisecondsIsLeftAlone(step: Int64, announced: Bool) {
        for seed in Effort.seeds(10) {
            var session = Self.locked(seed: seed &+ Effort.seed)
            let (before, rate, states) = (session.late, session.rate, session.trace)
            session.step(by: .milliseconds(step), announced: announced)
            session.run(for: .seconds(30))
            #expect(session.trace == states)
            #expect(abs(session.rate - rate) < 20_000, "\(rate) ppb, then \(session.rate)")
            let moved = session.late - before - .milliseconds(step)
            #expect(moved.magnitude < .milliseconds(2))
        }
    }

    @Test(arguments: [-30, 30] as [Int64], [true, false])
    func aStepOfThirtyMillisecondsIsCorrectedByRate(step: Int64, announced: Bool) {
        for seed in Effort.seeds(10) {
            var session = Self.locked(seed: seed &+ Effort.seed)
            let jumps = session.jumps.count
            session.lateness = 0
            session.run(for: .seconds(1))
            session.step(by: .milliseconds(step), announced: announced)
            session.run(for: .milliseconds(3_500))
            #expect(session.late.magnitude <= .milliseconds(20), "\(session.late)")
            session.run(for: .seconds(4))
            // The hysteresis: it goes on until half of the dead band.
            #expect(session.late.magnitude <= .milliseconds(11), "\(session.late)")
            #expect(session.jumps.count == jumps)
            #expect(session.trace.suffix(2) == ["5", "2"])
            #expect(session.greatestRate <= 5_000_000)
        }
    }

    @Test(arguments: [-2_000, -100, 100, 2_000] as [Int64], [true, false])
    func aLargeStepIsJumpedOverWithinASecond(step: Int64, announced: Bool) {
        for seed in Effort.seeds(10) {
            var session = Self.locked(seed: seed &+ Effort.seed)
            let (jumps, states) = (session.jumps.count, session.trace.count)
            session.step(by: .milliseconds(step), announced: announced)
            session.run(for: .seconds(1))
            #expect(session.late.magnitude <= .milliseconds(20), "\(session.late)")
            session.run(for: .seconds(20))
            #expect(session.jumps.count == jumps + 1)
            #expect(session.trace.dropFirst(states) == ["5", "jump", "2"])
        }
    }

    @Test(arguments: [-100, -10, 0, 100] as [Double]) func aSimulatedHourNeedsRateAlone(drift: Double) {
        for (noise, vblank) in [(200, 0), (2_000, 0), (0, 20)] as [(Int64, Int64)] {
            var session = SimulatedSession(late: .seconds(2), seed: 5 &+ Effort.seed)
            session.drift = drift
            session.noise = .microseconds(noise)
            session.vblank = .milliseconds(vblank)
            session.start()
            session.moves()
            session.run(for: .seconds(10))
            let (jumps, before) = (session.jumps.count, session.controller.accuracy)
            var worst = Nanoseconds.zero
            session.run(for: .seconds(Int64(Effort.scaled(3_590)))) { worst = max(worst, $0.late.magnitude) }
            #expect(session.jumps.count == jumps)
            #expect(worst <= .milliseconds(20), "\(worst) of ±\(noise) µs, vblanks of \(vblank) ms")
            #expect(session.controller.accuracy.adaptations <= 2)
            #expect(session.greatestRate <= 5_000_000)
            let learnt = session.controller.accuracy.drift
            let off = Double(learnt) - drift * 1_000
            #expect(abs(off) < 20_000, "learnt \(learnt) ppb of \(drift) ppm")
            let accuracy = session.controller.accuracy
            #expect(accuracy.observed - before.observed == accuracy.inside - before.inside)
            #expect(accuracy.worst <= .milliseconds(20))
        }
    }

    /// What is within the bound of the clocks is no error.
    @Test(arguments: Effort.seeds(10)) func aWideBoundExplainsErrors(seed: UInt64) {
        var session = SimulatedSession(late: .milliseconds(90), seed: seed &+ Effort.seed)
        session.bound = .milliseconds(100)
        session.noise = .milliseconds(8)
        session.start()
        session.moves()
        session.run(for: .seconds(60))
        #expect(session.jumps.isEmpty)
        #expect(session.trace == ["6", "7", "play", "2"])
        #expect(session.late.magnitude > .milliseconds(80))
        // The clock becomes better known: now it is an error.
        session.bound = .milliseconds(2)
        session.run(for: .seconds(1))
        #expect(session.jumps.count == 1)
    }

    /// Half a tenth of a second more than the bound: that may be little, and is left to rate.
    @Test func anErrorThatTheBoundMayExplainIsNotJumpedOver() {
        var session = Self.locked(seed: 8)
        session.bound = .milliseconds(100)
        session.step(by: .milliseconds(150))
        session.run(for: .seconds(40))
        #expect(session.jumps.count == 1)
        #expect(session.late.magnitude < .milliseconds(60))
    }

    /// Seven measurements in a hundred are wrong by anything.
    @Test(arguments: Effort.seeds(20)) func wrongMeasurementsAreNotFollowed(seed: UInt64) {
        var session = Self.locked(seed: seed &+ Effort.seed)
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let (jumps, states) = (session.jumps.count, session.trace)
        for _ in 0..<600 {
            session.run(for: .milliseconds(200))
            guard random.percent(7) else { continue }
            let wrong = Nanoseconds.milliseconds(.random(in: -5_000...5_000, using: &random))
            session.tells(error: wrong)
        }
        #expect(session.jumps.count == jumps)
        #expect(session.trace == states)
        #expect(session.late.magnitude < .milliseconds(5))
    }

    /// A timeline that is faster by 0.2 % is followed by rate.
    @Test func aSpeedThatIsNearToNormalIsFollowed() throws {
        var session = Self.locked(seed: 4)
        session.moves(at: try #require(ClockSpeed(multiplier: 1.002)))
        session.run(for: .seconds(60))
        #expect(session.late.magnitude < .milliseconds(10))
        #expect((1_900_000...2_100_000).contains(session.rate))
        #expect(session.jumps.count == 1)
    }

    @Test func theDelayOfTheOutputCounts() {
        var configuration = SyncConfiguration()
        configuration.outputDelay = .milliseconds(-45)
        var session = SimulatedSession(configuration)
        session.start()
        session.moves()
        session.run(for: .seconds(2))
        let off = session.late - .milliseconds(45)
        #expect(off.magnitude < .milliseconds(1))
    }
}
