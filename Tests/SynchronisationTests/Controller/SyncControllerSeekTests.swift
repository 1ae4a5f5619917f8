// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

/// The strategy of the reference (CSS-08…10): jumps alone, once in four seconds.
@Suite struct SyncControllerSeekTests {
    private static func locked(drift: Double = 0, interval: Nanoseconds = .seconds(4)) -> SimulatedSession {
        var configuration = SyncConfiguration()
        configuration.strategy = .seek
        configuration.interval = interval
        var session = SimulatedSession(configuration)
        session.drift = drift
        session.start()
        session.moves()
        session.run(for: .seconds(21))
        return session
    }

    @Test(arguments: [-15, 15] as [Int64]) func withinTheThresholdNothingIsDone(step: Int64) {
        var session = Self.locked()
        session.step(by: .milliseconds(step))
        session.run(for: .seconds(20))
        #expect(session.jumps.isEmpty)
    }

    @Test(arguments: [-2_000, -25, 25, 2_000] as [Int64]) func aChangeOfTheTimelineIsFollowedAtOnce(step: Int64) {
        var session = Self.locked()
        session.step(by: .milliseconds(step))
        session.run(for: .seconds(1))
        #expect(session.jumps.count == 1)
        #expect(session.late.magnitude < .milliseconds(1))
        #expect(session.rate == 0)
    }

    @Test(arguments: [2, 4, 8] as [Int64]) func otherErrorsAreFoundOnceInAnInterval(seconds: Int64) {
        var session = Self.locked(interval: .seconds(seconds))
        var found: [Nanoseconds] = []
        for _ in 0..<5 {
            let (before, jumps) = (session.elapsed, session.jumps.count)
            session.step(by: .milliseconds(40), announced: false)
            session.run(for: .seconds(seconds + 1))
            #expect(session.jumps.count == jumps + 1)
            if let last = session.jumps.last { found.append(last.at - before) }
        }
        let most = Nanoseconds.milliseconds(1_000 * seconds + 800)
        #expect(found.count == 5)
        #expect(found.allSatisfy { $0 <= most })
    }

    /// 100 ppm are 20 ms in 200 s: the saw-tooth that the other strategy does not have.
    @Test func aDriftIsJumpedOverAgainAndAgain() {
        var session = Self.locked(drift: 100)
        session.run(for: .seconds(1_000))
        #expect((4...6).contains(session.jumps.count))
        #expect(session.greatestRate == 0)
    }
}
