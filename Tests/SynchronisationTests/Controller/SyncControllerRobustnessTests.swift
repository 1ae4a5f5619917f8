// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

@Suite struct SyncControllerRobustnessTests {
    // MARK: Sessions that cannot jump

    /// A live session cannot go ahead of live: it goes as far as it can, and the rest by rate.
    @Test func aSessionThatReachesLessJumpsLess() {
        var session = SimulatedSession(late: .milliseconds(900))
        session.reach = .seconds(-60) ... .milliseconds(800)
        session.start()
        session.moves()
        session.run(for: .seconds(1))
        #expect(session.jumps.last?.action == SyncController.Action.jump(by: .milliseconds(800)))
        session.reach = .seconds(-60) ... .zero
        session.run(for: .seconds(1))
        #expect(session.late > .milliseconds(85))
        #expect(session.late < .milliseconds(101))
        session.run(for: .seconds(60))
        #expect(session.late.magnitude < .milliseconds(20))
        #expect(session.controller.accuracy.jumps == 1)
        #expect(session.controller.state == .running)
        #expect(session.greatestRate <= 5_000_000)
    }

    /// Out of reach: it is tried again once in an interval, and the session goes there at the greatest rate.
    @Test func aSessionThatCannotJumpIsCorrectedByRate() {
        var session = SimulatedSession(late: .milliseconds(500))
        session.reach = .seconds(-60) ... .zero
        session.start()
        session.moves()
        session.run(for: .seconds(20))
        #expect((4...6).contains(session.jumps.count))
        #expect(session.controller.accuracy.jumps == 0)
        #expect(session.rate == 5_000_000)
        session.run(for: .seconds(100))
        #expect(session.late.magnitude < .milliseconds(20))
        #expect(session.rate.magnitude < 50_000)
    }

    /// What does not answer is asked less and less often.
    @Test func aSessionThatDoesNotAnswerIsNotAskedForEver() {
        var session = SimulatedSession(late: .seconds(2))
        session.answersJumps = false
        session.start()
        session.moves()
        session.run(for: .seconds(120))
        #expect((4...12).contains(session.jumps.count))
        #expect(session.controller.accuracy.jumpsFailed > 3)
    }

    /// A correction does not go on while nobody measures what it does.
    @Test func withoutMeasurementsTheRateReturns() {
        var session = SimulatedSession()
        session.start()
        session.moves()
        session.run(for: .seconds(20))
        session.step(by: .milliseconds(50))
        session.run(for: .seconds(2))
        #expect(session.rate > 4_000_000)
        session.measures = false
        session.run(for: .seconds(3))
        #expect(session.rate.magnitude < 50_000)
        #expect(session.controller.nextTick == nil)
        session.measures = true
        session.run(for: .seconds(10))
        #expect(session.late.magnitude < .milliseconds(11))
    }

    /// CSS-06 and CSS-07: another correlation is another place.
    @Test func theCorrelationIsReplacedWhileTheSessionRuns() {
        var session = SimulatedSession()
        session.start()
        session.moves()
        session.run(for: .seconds(10))
        let correlation = ClockCorrelation(parentTicks: 900_000, ticks: 90_000)
        #expect(session.controller.correlate(correlation, at: session.now) == [])
        #expect(session.controller.correlation == correlation)
        session.step(by: .seconds(-10), announced: false)
        session.run(for: .seconds(1))
        #expect(session.jumps.count == 1)
        #expect(session.late.magnitude < .milliseconds(1))
    }

    // MARK: Anything

    /// Whatever happens, the rate is within 0.5 % and changes by no more than is inaudible; then calm brings the session
    /// into the dead band.
    @Test(arguments: Effort.seeds(100)) func anyCourseEndsInTheDeadBand(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var configuration = SyncConfiguration()
        configuration.leader = random.percent(50) ? .television : .box
        configuration.withoutTimeline = random.percent(50) ? .freeRun : .pause(after: .seconds(2))
        configuration.otherSpeeds = random.percent(50) ? .hold : .seek
        var session = SimulatedSession(
            configuration, late: .milliseconds(.random(in: -5_000...5_000, using: &random)), seed: random.next())
        session.drift = .random(in: -150...150, using: &random)
        // What a box measures of itself is exact.
        let isBox = configuration.leader == .box
        session.noise = .microseconds(random.one(of: isBox ? [0, 200, 1_000] : [0, 200, 1_000, 5_000]))
        session.vblank = .milliseconds(isBox ? 0 : random.one(of: [0, 0, 20]))
        session.measurementInterval = .milliseconds(random.one(of: [100, 200, 500]))
        session.obeysAfter = .milliseconds(random.one(of: [0, 60, 200]))
        session.jumpTakes = .milliseconds(random.one(of: [1, 120, 900]))
        for _ in 0..<60 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: session.start()
            case 1 where random.percent(30): session.stop()
            case 2...4: session.moves()
            case 5: session.moves(at: .paused)
            case 6: session.moves(at: ClockSpeed(multiplier: random.one(of: [2, -1, 0.998, 0.5])) ?? .normal)
            case 7: session.loses()
            case 8...9: session.step(by: .milliseconds(.random(in: -100...100, using: &random)), announced: false)
            case 10: session.step(by: .milliseconds(.random(in: -9_000...9_000, using: &random)))
            default: session.bound = .microseconds(random.one(of: [300, 2_000, 40_000]))
            }
            session.run(for: .milliseconds(.random(in: 1...9_000, using: &random)))
        }
        session.bound = .microseconds(300)
        session.start()
        session.moves()
        let end = session.elapsed + .seconds(90)
        session.run(for: .seconds(90))
        #expect(session.greatestRate <= 5_000_000)
        #expect(session.greatestStep <= 1_250_000)
        // The changes of a second, and of the quarter before its first.
        #expect(session.greatestChange <= 6_250_000)
        #expect(session.isPlaying)
        // What measurements are off by, all of them in the same way, nobody can know.
        let unknown = session.noise + session.vblank / 2
        let most = Nanoseconds.milliseconds(20) + unknown
        #expect(session.late.magnitude <= most, "\(session.late)")
        while session.controller.state != .running, session.elapsed < end + .seconds(5) {
            session.run(for: .milliseconds(100))
        }
        #expect(session.controller.state == .running)
    }

    /// Numbers that cannot be are survived, and so are instants that decrease.
    @Test(arguments: Effort.seeds(40)) func anyNumbersAreSurvived(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        let numbers: [Int64] = [.min, -1 << 62, -1_000_000_000, -1, 0, 1, 40_000_000, 1 << 62, .max]
        var configuration = SyncConfiguration()
        configuration.greatestRate = random.one(of: numbers)
        configuration.outputDelay = Nanoseconds(random.one(of: numbers))
        configuration.threshold = Nanoseconds(random.one(of: numbers))
        configuration.jumpThreshold = Nanoseconds(random.one(of: numbers))
        configuration.interval = Nanoseconds(random.one(of: numbers))
        configuration.strategy = random.percent(50) ? .adapt : .seek
        var controller = SyncController(
            configuration, correlation: ClockCorrelation(parentTicks: 0, ticks: 0),
            at: Monotonic(nanoseconds: random.one(of: numbers)))
        for _ in 0..<400 {
            let now = Monotonic(nanoseconds: random.one(of: numbers) &+ .random(in: 0...9_000_000_000, using: &random))
            let number = Nanoseconds(random.one(of: numbers))
            let actions =
                switch Int.random(in: 0..<9, using: &random) {
                case 0: controller.start(at: now)
                case 1: random.percent(20) ? controller.stop(at: now) : []
                case 2: controller.timelineMoves(at: random.percent(70) ? .normal : .paused, at: now)
                case 3: random.percent(20) ? controller.timelineLost(at: now) : []
                case 4: controller.jumped(at: now)
                case 5: controller.cannotJump(reachable: min(number, .zero)...max(number, .zero), at: now)
                case 6: controller.tick(at: now)
                default: controller.measured(error: number, bound: Nanoseconds(random.one(of: numbers)), at: now)
                }
            for case .setRate(let rate) in actions { #expect(rate.magnitude <= 5_000_000) }
            _ = (controller.nextTick, controller.accuracy)
        }
    }
}
