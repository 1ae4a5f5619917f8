// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

/// Timelines that are behind what the history of the session holds, and timelines that come again.
@Suite struct SyncControllerReachTests {
    private static func session(late: Nanoseconds, back: Nanoseconds) -> SimulatedSession {
        var session = SimulatedSession(late: late)
        session.reach = (.zero - back) ... .zero
        session.start()
        session.moves()
        return session
    }

    /// Nothing is kept of what was presented: the picture stands until the timeline is there.
    @Test func whatIsALittleBehindTheHistoryIsWaitedFor() {
        var session = Self.session(late: .milliseconds(-1_500), back: .zero)
        session.run(for: .seconds(10))
        #expect(session.trace == ["6", "7", "play", "2", "5", "jump", "wait", "2"])
        #expect(session.late.magnitude < .milliseconds(2))
        #expect(session.controller.accuracy.jumps == 1 && session.controller.accuracy.jumpsFailed == 1)
    }

    /// The rest of the way is waited for.
    @Test func afterAJumpToTheEndOfTheHistoryTheRestIsWaitedFor() {
        var session = Self.session(late: .seconds(-5), back: .milliseconds(3_600))
        session.run(for: .seconds(1))
        #expect(session.jumps.last?.action == .jump(by: .milliseconds(-3_600)))
        session.reach = .zero ... .milliseconds(3_600)
        session.run(for: .seconds(6))
        #expect(session.late.magnitude < .milliseconds(2))
        #expect(session.controller.accuracy.jumps == 2)
    }

    /// The history of a live channel moves on with the time, in steps: at its end the session would go to and fro. A
    /// television that tells its timeline each second does not change that.
    @Test(arguments: [true, false]) func whatIsFarBehindTheHistoryIsNotJumpedAfter(tells: Bool) {
        var session = Self.session(late: .seconds(-20), back: .seconds(4))
        for second in 0..<600 {
            session.reach = .milliseconds(second % 2 == 0 ? -4_000 : -3_500) ... .zero
            session.run(for: .seconds(1))
            if tells { session.moves() }
        }
        #expect(session.controller.accuracy.jumps == 0)
        #expect((5...26).contains(session.jumps.count), "\(session.jumps.count) attempts")
        // By rate alone: 0.5 % of ten minutes.
        #expect((session.late - .seconds(-17)).magnitude < .milliseconds(100))
    }

    /// A session that was just opened keeps more and more.
    @Test func theHistoryGrowsUntilItIsReached() {
        var session = Self.session(late: .seconds(-6), back: .zero)
        for second in 0..<20 {
            session.reach = .seconds(-Int64(second)) ... .zero
            session.run(for: .seconds(1))
        }
        #expect(session.late.magnitude < .milliseconds(5))
        #expect(session.controller.accuracy.jumps == 1)
        #expect(session.trace.filter { $0 == "wait" }.isEmpty)
    }

    /// After a refusal a step of the timeline is followed at once.
    @Test func aStepIntoReachIsFollowedAtOnce() {
        var session = Self.session(late: .seconds(-40), back: .seconds(4))
        session.run(for: .seconds(100))
        #expect(session.controller.accuracy.jumps == 0)
        session.step(by: .seconds(38))
        session.run(for: .seconds(2))
        #expect(session.late.magnitude < .milliseconds(5))
        #expect(session.controller.accuracy.jumps == 1)
    }

    /// Boxes go back together by standing together, even where each could jump.
    @Test(arguments: [-1_900, -300, -5] as [Int64]) func boxesWaitForEachOther(late: Int64) {
        var configuration = SyncConfiguration()
        configuration.leader = .box
        var session = SimulatedSession(configuration, late: .milliseconds(late))
        session.start()
        session.moves()
        session.run(for: .seconds(3))
        #expect(session.trace == ["6", "7", "play", "2", "5", "wait", "2"])
        #expect(session.late.magnitude < .microseconds(500))
        var far = SimulatedSession(configuration, late: .milliseconds(-2_100))
        far.start()
        far.moves()
        far.run(for: .seconds(3))
        #expect(far.trace == ["6", "7", "play", "2", "5", "jump", "2"])
    }

    /// The server of a timeline is another one, whose clock differs a little: that is no new acquisition. Beyond the
    /// jump threshold it is.
    @Test(arguments: [(12, 1), (-12, 1), (200, 2), (-200, 2)] as [(Int64, UInt64)])
    func aTimelineThatComesAgainIsFollowedByRate(step: Int64, jumps: UInt64) {
        var configuration = SyncConfiguration()
        configuration.leader = .box
        var session = SimulatedSession(configuration, late: .milliseconds(100))
        session.start()
        session.moves()
        session.run(for: .seconds(20))
        session.loses()
        session.run(for: .seconds(4))
        session.step(by: .milliseconds(step))
        session.moves()
        session.run(for: .seconds(15))
        #expect(session.controller.accuracy.jumps == jumps)
        #expect(session.late.magnitude < .milliseconds(1))
    }
}
