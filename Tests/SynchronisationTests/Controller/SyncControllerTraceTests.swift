// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Timelines

@testable import Synchronisation

/// The states of CSS-12…18 and CSS-19: told in the order of the reference, with what the session is told to do between them.
@Suite struct SyncControllerTraceTests {
    static let strategies: [SyncConfiguration.Strategy] = [.adapt, .seek]

    private static func session(
        _ strategy: SyncConfiguration.Strategy, late: Int64 = 0, _ change: (inout SyncConfiguration) -> Void = { _ in }
    ) -> SimulatedSession {
        var configuration = SyncConfiguration()
        configuration.strategy = strategy
        change(&configuration)
        return SimulatedSession(configuration, late: .milliseconds(late))
    }

    private static func text(_ session: SimulatedSession) -> String { session.trace.joined(separator: " ") }

    @Test func theNumbersAreThoseOfTheReference() {
        let states: [SyncControllerState] = [
            .initialised, .running, .stopped, .paused, .synchronising, .syncTimelineUnavailable, .syncTimelineAvailable,
        ]
        #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test(arguments: strategies) func waitsForTheTimelineAndPlays(strategy: SyncConfiguration.Strategy) {
        var session = Self.session(strategy, late: 300)
        #expect(session.controller.state == .initialised)
        session.start()
        session.run(for: .seconds(3))
        #expect(Self.text(session) == "6")
        session.moves()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "6 7 play 2 5 jump 2")
    }

    @Test(arguments: strategies) func aTimelineThatIsThereIsFollowedAtOnce(strategy: SyncConfiguration.Strategy) {
        var session = Self.session(strategy)
        session.moves()
        #expect(session.trace.isEmpty)
        session.start()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "play 2")
    }

    /// CSS-20.
    @Test(arguments: strategies) func startAndStopTwiceAreLikeOnce(strategy: SyncConfiguration.Strategy) {
        var session = Self.session(strategy)
        session.stop()
        #expect(session.trace.isEmpty)
        session.moves()
        session.start()
        session.start()
        session.run(for: .seconds(1))
        session.stop()
        session.stop()
        #expect(Self.text(session) == "play 2 3")
        session.step(by: .seconds(5))
        session.loses()
        session.moves()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "play 2 3")
        session.start()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "play 2 3 play 2 5 jump 2")
    }

    /// CSS-15: the television pauses for a minute.
    @Test(arguments: strategies) func aPausedTimelinePausesTheSession(strategy: SyncConfiguration.Strategy) {
        var session = Self.session(strategy)
        session.start()
        session.moves()
        session.run(for: .seconds(5))
        session.moves(at: .paused)
        session.run(for: .seconds(60))
        #expect(session.late.magnitude < .milliseconds(5))
        session.step(by: .milliseconds(-400))
        session.moves()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "6 7 play 2 pause 4 play 2 5 jump 2")
        #expect(session.late.magnitude < .milliseconds(5))
    }

    /// CSS-17: the last rate is held.
    @Test func aLostTimelineLeavesTheSessionFree() {
        var session = Self.session(.adapt)
        session.drift = 80
        session.start()
        session.moves()
        session.run(for: .seconds(300))
        let before = session.late
        session.loses()
        session.run(for: .seconds(60))
        #expect(session.isPlaying)
        #expect((70_000...90_000).contains(session.rate))
        let moved = session.late - before
        #expect(moved.magnitude < .milliseconds(1))
        session.moves()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "6 7 play 2 6 7 play 2")
    }

    @Test(arguments: strategies) func aLostTimelinePausesTheSessionAfterAWhile(strategy: SyncConfiguration.Strategy) {
        var session = Self.session(strategy) { $0.withoutTimeline = .pause(after: .seconds(5)) }
        session.start()
        session.moves()
        session.run(for: .seconds(3))
        session.loses()
        session.run(for: .seconds(4))
        session.moves()
        session.run(for: .seconds(4))
        #expect(Self.text(session) == "6 7 play 2 6 7 play 2")
        session.loses()
        session.run(for: .seconds(6))
        #expect(Self.text(session) == "6 7 play 2 6 7 play 2 6 pause")
        session.moves()
        session.run(for: .seconds(4))
        #expect(Self.text(session) == "6 7 play 2 6 7 play 2 6 pause 7 play 2 5 jump 2")
        session.moves(at: .paused)
        session.stop()
        // Nobody else would let it play again.
        #expect(session.trace.suffix(4) == ["pause", "4", "play", "3"])
    }

    @Test(arguments: [2, -1, 0.5] as [Double]) func speedsThatCannotBeFollowedHoldTheSession(multiplier: Double) throws
    {
        var session = Self.session(.adapt)
        session.start()
        session.moves()
        session.run(for: .seconds(5))
        session.moves(at: try #require(ClockSpeed(multiplier: multiplier)))
        session.run(for: .seconds(10))
        session.moves()
        session.run(for: .seconds(10))
        #expect(Self.text(session) == "6 7 play 2 pause 4 play 2 5 jump 2")
        #expect(session.late.magnitude < .milliseconds(5))
    }

    @Test(arguments: [2, -1] as [Double]) func orTheSessionJumpsAfterThem(multiplier: Double) throws {
        var session = Self.session(.adapt) { $0.otherSpeeds = .seek }
        session.start()
        session.moves()
        session.run(for: .seconds(5))
        session.moves(at: try #require(ClockSpeed(multiplier: multiplier)))
        session.run(for: .seconds(19))
        session.moves()
        session.run(for: .seconds(10))
        #expect((5...6).contains(session.jumps.count))
        #expect(session.trace.dropFirst(4).filter { $0 == "pause" || $0 == "4" } == [])
        #expect(session.late.magnitude < .milliseconds(5))
    }
}
