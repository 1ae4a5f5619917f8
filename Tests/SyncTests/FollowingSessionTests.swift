// SPDX-License-Identifier: Apache-2.0
import Playback
import Testing
import Time

@testable import Sync
@testable import Synchronisation

@Suite struct FollowingSessionTests {
    private static func error(of scene: FollowingScene) throws -> Nanoseconds {
        try #require(scene.session.accuracy.error)
    }

    /// A session that is 700 ms behind the television, and one that is 700 ms ahead, jump there at once.
    @Test(arguments: [1_300, 2_700] as [Int64]) func acquiresByOneJump(delayMs: Int64) throws {
        let scene = try FollowingScene()
        scene.present()
        #expect(scene.states == [.syncTimelineUnavailable])
        try scene.televisionPresents(delay: .milliseconds(delayMs))
        scene.pass(.seconds(5))
        #expect(
            scene.states == [
                .syncTimelineUnavailable, .syncTimelineAvailable, .running, .synchronising, .running,
            ])
        let jump = try #require(scene.seeks.first)
        #expect(scene.seeks.count == 1 && (jump - .milliseconds(2_000 - delayMs)).magnitude < .milliseconds(1))
        #expect(try Self.error(of: scene).magnitude < .milliseconds(1))
        #expect((scene.delay - .milliseconds(delayMs)).magnitude < .milliseconds(1))
        #expect(scene.session.accuracy.jumps == 1 && scene.session.accuracy.jumpsFailed == 0)
        #expect(scene.session.accuracy.bound > .microseconds(100), "the wall clock is not known better")
    }

    /// CSS-06: a television that is ahead of live is followed as far as there is something to present. Time that passes
    /// between two looks at the position refuses no jump.
    @Test(arguments: [0, 1_000] as [Int64]) func jumpsAsFarAsItCan(nearer: Int64) throws {
        let scene = try FollowingScene()
        scene.movesBetweenLooks = Nanoseconds(nearer)
        scene.present()
        // Away from live first: what is there already does not seek to it.
        try scene.televisionPresents(delay: .seconds(3))
        scene.pass(.seconds(5))
        try scene.televisionPresents(delay: .seconds(-5))
        scene.pass(.seconds(3))
        let jump = try #require(scene.seeks.last)
        #expect(scene.seeks.count == 2 && (jump - .milliseconds(2_800)).magnitude < .milliseconds(1))
        #expect(scene.delay == .milliseconds(200))
        #expect(scene.session.accuracy.jumps == 2 && (1...3).contains(scene.session.accuracy.jumpsFailed))
        #expect(try Self.error(of: scene) > .milliseconds(5_100))
    }

    /// A television that is far behind what the history holds is not jumped after, however often it says where it is.
    @Test func doesNotGoToAndFroAtTheEndOfTheHistory() throws {
        let scene = try FollowingScene()
        scene.history = .seconds(4)
        scene.present()
        for _ in 0..<60 {
            try scene.televisionPresents(delay: .seconds(20))
            scene.pass(.seconds(1))
        }
        #expect(scene.seeks.isEmpty && scene.waits.isEmpty)
        // By rate it comes nearer: 0.5 % of a minute.
        #expect((scene.delay - .milliseconds(2_290)).magnitude < .milliseconds(20))
        // Once the history reaches as far, one jump is enough.
        scene.history = .seconds(40)
        scene.pass(.seconds(40))
        #expect(scene.seeks.count == 1 && (scene.delay - .seconds(20)).magnitude < .milliseconds(2))
    }

    /// What is a little behind the history is waited for: the picture stands.
    @Test func waitsForWhatIsALittleBehindTheHistory() throws {
        let scene = try FollowingScene()
        scene.history = .milliseconds(2_500)
        scene.present()
        try scene.televisionPresents(delay: .milliseconds(3_700))
        scene.pass(.seconds(3))
        let wait = try #require(scene.waits.first)
        #expect(scene.waits.count == 1 && (wait - .milliseconds(1_700)).magnitude < .milliseconds(1))
        #expect(scene.seeks.isEmpty && !scene.isPaused && scene.session.state == .running)
        #expect(try Self.error(of: scene).magnitude < .milliseconds(1))
    }

    /// A person's seek is not interrupted. When its picture is there, the session goes back to where all are.
    @Test func aSeekOfAPersonIsNotInterrupted() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        #expect(scene.seeks.isEmpty)
        scene.answersSeeks = false
        var outcome: SeekOutcome?
        scene.regions.seek(.shift(.seconds(-10)), in: scene.regions.main) { outcome = try? $0.get() }
        scene.delay = .seconds(12)
        scene.pass(.seconds(4))
        #expect(scene.seeks == [.seconds(-10)], "the session jumped while a person sought")
        scene.delay = .seconds(2)
        scene.answersSeeks = true
        scene.pass(.seconds(1))
        #expect(outcome != nil)
        scene.pass(.seconds(3))
        #expect(scene.seeks.count == 2 && (scene.delay - .seconds(2)).magnitude < .milliseconds(2))
    }

    /// `sync.md` F2: a session that has nothing to present is measured, and so it leaves the place at which it starves.
    @Test func aSessionThatStarvesFollowsAJump() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        #expect(scene.seeks.isEmpty)
        scene.starve()
        #expect(!scene.regions.main.player.isPlaying)
        try scene.televisionPresents(delay: .seconds(1))
        scene.pass(.seconds(3))
        #expect(scene.seeks.count == 1 && (scene.delay - .seconds(1)).magnitude < .milliseconds(2))
        #expect(try Self.error(of: scene).magnitude < .milliseconds(2))
    }

    /// `sync.md` F2: nobody is told the figure of before while nothing is measured.
    @Test func whatIsNotMeasuredHasNoFigure() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        #expect(try Self.error(of: scene).magnitude < .milliseconds(2))
        scene.isMeasurable = false
        scene.pass(.seconds(1))
        #expect(scene.session.accuracy.error == nil)
        scene.isMeasurable = true
        scene.pass(.seconds(1))
        #expect(try Self.error(of: scene).magnitude < .milliseconds(2))
    }

    /// A seek that is never answered does not hold the session up for ever. When the next one takes its place, its late
    /// answer is not taken for that of the next.
    @Test func unansweredJumpEnds() throws {
        let scene = try FollowingScene()
        scene.answersSeeks = false
        scene.present()
        try scene.televisionPresents(delay: .seconds(1))
        scene.pass(.seconds(4))
        #expect(scene.session.state == .synchronising && scene.session.accuracy.jumpsFailed == 0)
        scene.pass(.seconds(3))
        #expect(scene.session.accuracy.jumpsFailed == 1 && scene.seeks.count == 2)
        scene.answersSeeks = true
        scene.pass(.seconds(3))
        #expect(scene.session.accuracy.jumpsFailed == 1 && scene.session.accuracy.jumps == 1)
        #expect(scene.session.state == .running && scene.seeks.count == 2)
    }

    /// A session that seeks ignores that it is to wait. The next jump forgets the wait: only its own answer counts
    /// (`sync.md`).
    @Test func aWaitThatWasIgnoredAnswersNoJump() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        scene.answersSeeks = false
        try scene.televisionPresents(delay: .milliseconds(3_500))
        scene.pass(.seconds(3))
        #expect(scene.seeks.count == 1)
        // When the jump has ended without an answer, the history does not reach as far any more.
        scene.history = .milliseconds(2_500)
        scene.pass(.seconds(4))
        #expect(scene.seeks.count == 1 && scene.waits.isEmpty && scene.session.accuracy.jumpsFailed == 2)
        scene.history = .seconds(30)
        scene.pass(.seconds(5))
        #expect(scene.seeks.count == 2 && scene.session.accuracy.jumpsFailed == 3)
        // It comes to be as late as it was to be by the wait.
        scene.delay = .seconds(4)
        scene.pass(.milliseconds(500))
        #expect(scene.session.accuracy.jumps == 0)
        scene.delay = .seconds(2)
        scene.answersSeeks = true
        scene.pass(.seconds(3))
        #expect(scene.session.accuracy.jumps == 1 && scene.seeks.count == 2)
        #expect((scene.delay - .milliseconds(3_500)).magnitude < .milliseconds(20))
    }

    /// An error between dead band and jump threshold is corrected by rate alone, at most by 0.5 %.
    @Test(arguments: [40, -40] as [Int64]) func correctsByRate(lateMs: Int64) throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(5))
        #expect(scene.seeks.isEmpty && scene.session.state == .running)
        try scene.televisionPresents(delay: .seconds(2) - .milliseconds(lateMs))
        scene.pass(.seconds(2))
        #expect(scene.session.state == .synchronising)
        #expect(scene.rates.compactMap { $0 }.last.map { ($0 < 0) == (lateMs > 0) } == true, "slower is positive")
        scene.pass(.seconds(20))
        #expect(scene.seeks.isEmpty && scene.session.state == .running && scene.session.accuracy.adaptations == 1)
        #expect(try Self.error(of: scene).magnitude < .milliseconds(20))
        #expect(scene.rates.compactMap { $0 }.allSatisfy { abs($0) <= 5_000_000 })
    }

    /// CSS-15: the session stands while the television does, and then goes on where that goes on.
    @Test func pausesAndPlays() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        try scene.televisionPresents(delay: .seconds(2), speed: 0)
        #expect(scene.session.state == .paused && scene.isPaused)
        scene.pass(.seconds(3))
        #expect(scene.isPaused && scene.session.accuracy.error == nil && scene.seeks.isEmpty)
        // It begins a little later than it was paused.
        try scene.televisionPresents(delay: .seconds(5) - .milliseconds(300))
        #expect(!scene.isPaused && scene.session.state == .running)
        scene.pass(.seconds(3))
        #expect(scene.seeks.count == 1 && (scene.delay - .milliseconds(4_700)).magnitude < .milliseconds(2))
    }

    /// A session that was told 200 ms late to pause goes to the picture at which the television stands.
    @Test func standsWhereTheTelevisionStands() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        try scene.televisionPresents(delay: .milliseconds(2_200), speed: 0)
        scene.pass(.seconds(3))
        let seek = try #require(scene.seeks.first)
        #expect(scene.seeks.count == 1 && (seek + .milliseconds(200)).magnitude < .milliseconds(1))
        #expect(scene.isPaused && scene.session.accuracy.jumps == 0)
        #expect((scene.delay - .milliseconds(5_200)).magnitude < .milliseconds(1))
    }

    /// The screen was paused between two pictures, one of which it showed a little before it was due: it shows the picture
    /// of the place, as all others do.
    @Test func standsWithThePictureOfThePlace() throws {
        for earlyMs in [-30, -1, 5] as [Int64] {
            let scene = try FollowingScene()
            scene.present()
            try scene.televisionPresents(delay: .seconds(2))
            scene.pass(.seconds(3))
            let place = Nanoseconds((scene.now - scene.delay).nanoseconds)
            scene.shownPicture = TickRate.mpeg.ticks(place + .milliseconds(earlyMs))
            try scene.televisionPresents(delay: .seconds(2), speed: 0)
            scene.pass(.seconds(1))
            #expect(scene.isPaused && scene.seeks.isEmpty == (earlyMs < 0), "\(earlyMs): \(scene.seeks)")
            #expect(scene.seeks.allSatisfy { $0.magnitude < .milliseconds(1) })
        }
    }

    /// It was told once to pause while nothing was played yet, and then played while the television stood.
    @Test func pausesASessionThatIsStillOpening() throws {
        let scene = try FollowingScene()
        try scene.televisionPresents(delay: .seconds(2), speed: 0)
        scene.present()
        scene.pass(.seconds(1))
        #expect(scene.isPaused && !scene.regions.main.player.isPlaying)
        try scene.televisionPresents(delay: .seconds(3))
        #expect(!scene.isPaused)
    }

    /// A session that a person has paused is left alone until it plays again.
    @Test func doesNothingWhilePausedByACommand() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        scene.regions.control(.pause, in: scene.regions.main)
        scene.pass(.seconds(4))
        #expect(scene.seeks.isEmpty && scene.isPaused)
        scene.regions.control(.play, in: scene.regions.main)
        scene.pass(.seconds(4))
        #expect(scene.seeks.count == 1 && (scene.delay - .seconds(2)).magnitude < .milliseconds(2))
    }

    /// CSS-17, CSS-23: a session without a timeline plays on at its rate.
    @Test func playsOnWithoutTimeline() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        scene.loseTimeline()
        scene.pass(.seconds(5))
        #expect(scene.session.state == .syncTimelineUnavailable && !scene.isPaused)
        #expect(scene.session.accuracy.error == nil && scene.seeks.isEmpty)
        try scene.televisionPresents(delay: .seconds(2))
        #expect(scene.states.suffix(2) == [.syncTimelineAvailable, .running])
    }

    @Test func pausesWithoutTimelineAfterAWhile() throws {
        let scene = try FollowingScene { $0.withoutTimeline = .pause(after: .seconds(2)) }
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        scene.loseTimeline()
        scene.pass(.seconds(1))
        #expect(!scene.isPaused)
        scene.pass(.seconds(2))
        #expect(scene.isPaused && scene.session.state == .syncTimelineUnavailable)
        try scene.televisionPresents(delay: .seconds(5))
        #expect(!scene.isPaused)
    }

    /// Display and loudspeaker that are late by 80 ms are given what they present 80 ms earlier.
    @Test func outputDelayIsMadeUpFor() throws {
        let scene = try FollowingScene { $0.outputDelay = .milliseconds(80) }
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(5))
        #expect((scene.delay - .milliseconds(1_920)).magnitude < .milliseconds(1))
    }

    /// After the stop the session follows no rate any more, and nothing is reported of it.
    @Test func stopLeavesTheSessionAlone() throws {
        let scene = try FollowingScene()
        scene.present()
        try scene.televisionPresents(delay: .seconds(2))
        scene.pass(.seconds(3))
        try scene.televisionPresents(delay: .seconds(2) - .milliseconds(40))
        scene.pass(.seconds(2))
        #expect(scene.rates.last != .some(nil))
        scene.session.stop()
        #expect(scene.states.last == .stopped && scene.rates.last == .some(nil))
        let told = scene.states.count
        scene.session.stop()
        try scene.televisionPresents(delay: .seconds(9))
        scene.pass(.seconds(3))
        #expect(scene.states.count == told && scene.seeks.isEmpty)
    }
}
