// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Timelines

@Suite struct StreamClockTests {
    @Test func nothingKnownBeforeAUnit() {
        var stream = SimulatedStream(seed: 1)
        #expect(stream.clock.correlation == nil)
        stream.run(.milliseconds(500))
        #expect(stream.clock.correlation == nil, "references alone say nothing of units")
        stream.run(.milliseconds(600))
        #expect(stream.error.map { $0.magnitude < .microseconds(100) } == true)
        #expect(stream.clock.statistics.source == .references)
        stream.run(.seconds(5))
        #expect(stream.clock.statistics.isLocked)
    }

    @Test(arguments: [-100, -17, 0, 100] as [Int64], [40, 20, 100] as [Int64])
    func followsDriftUnderJitter(drift: Int64, interval: Int64) {
        var stream = SimulatedStream(seed: UInt64(interval))
        stream.network = .jitter(.milliseconds(50))
        stream.drift = drift
        stream.referenceInterval = .milliseconds(interval)
        stream.run(.seconds(6))
        var course = Course()
        stream.run(.seconds(200)) { course.observe(&$0) }
        #expect(!course.isTooFast)
        #expect(course.worst < .milliseconds(2))
        #expect((stream.clock.statistics.drift - drift * 1_000).magnitude < 15_000)
        #expect(stream.clock.statistics.jitterPeak > .milliseconds(25))
    }

    /// Six hours; fewer stamps than a stream has, and less jitter, for the test's own time.
    @Test(arguments: [-100, 100] as [Int64]) func staysForHours(drift: Int64) {
        var stream = SimulatedStream(seed: 6)
        stream.network = .jitter(.milliseconds(5))
        stream.drift = drift
        stream.referenceInterval = .milliseconds(690)
        stream.frame = .milliseconds(1_500)
        stream.run(.seconds(60))
        var course = Course()
        stream.run(.seconds(Int64(Effort.scaled(6 * 3_600)))) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst < .milliseconds(2))
        #expect(stream.clock.statistics.jumps == 0 && stream.clock.statistics.isLocked)
    }

    @Test(arguments: [16_683_333, 20_000_000, 16_666_667, 40_000_000, 33_366_667] as [Int64])
    func frameRates(frame: Int64) {
        var stream = SimulatedStream(seed: UInt64(frame))
        stream.network = .jitter(.milliseconds(30))
        stream.frame = Nanoseconds(frame)
        stream.referenceInterval = .milliseconds(33)
        stream.run(.seconds(6))
        var course = Course()
        stream.run(.seconds(30)) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst < .milliseconds(2))
    }

    /// Units complete between 50 ms and 1 s before their decoding times; in each 2 s one that is as late as that.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func variableRate(seed: UInt64) {
        var stream = SimulatedStream(seed: seed)
        stream.network = .jitter(.milliseconds(20))
        stream.drift = 50
        stream.leastSlack = .milliseconds(50)
        stream.slack = { unit, random in
            let phase = Int64(unit % 50)
            return .milliseconds(50 + 19 * phase - (phase == 0 ? 0 : .random(in: 0...10, using: &random)))
        }
        stream.run(.seconds(10))
        var course = Course()
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst < .milliseconds(2))
    }

    /// Pictures grow: the clock becomes later by no more than 0.5 %.
    @Test func slackThatShrinksIsFollowed() {
        var stream = SimulatedStream(seed: 4)
        stream.run(.seconds(10))
        stream.slack = { _, _ in .milliseconds(250) }
        stream.leastSlack = .milliseconds(250)
        var course = Course()
        stream.run(.seconds(75)) { course.observe(&$0) }
        #expect(!course.isTooFast)
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(1), "50 ms, each ms slower than the one before")
    }

    /// Pictures that are much larger than all before: the clock is set back at once, and does not come forth again by more
    /// than 0.5 %.
    @Test(arguments: [200, 600, 1_500, 3_000] as [Int64]) func slackThatFallsIsHeld(milliseconds: Int64) {
        var stream = SimulatedStream(seed: 4)
        stream.slack = { _, _ in .milliseconds(milliseconds + 50) }
        stream.leastSlack = .milliseconds(milliseconds + 50)
        stream.run(.seconds(10))
        stream.slack = { _, _ in .milliseconds(50) }
        stream.leastSlack = .milliseconds(50)
        stream.run(.milliseconds(milliseconds + 1_200))
        #expect((stream.error ?? .seconds(9)).magnitude < .milliseconds(2))
        #expect(stream.clock.statistics.holds == 1 && stream.clock.statistics.jumps == 0)
        stream.slack = { _, _ in .milliseconds(milliseconds + 50) }
        var course = Course()
        stream.run(.seconds(100)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.jumps == 0)
    }

    /// Single pictures that are late, as a scene's first are: nothing stands still for them.
    @Test func aLatePictureIsNotHeld() {
        var stream = SimulatedStream(seed: 4)
        stream.slack = { unit, _ in unit % 25 == 0 && unit > 250 ? .milliseconds(100) : .milliseconds(400) }
        stream.leastSlack = .milliseconds(400)
        stream.run(.seconds(9))
        var course = Course()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.holds == 0 && stream.clock.statistics.jumps == 0)
    }

    /// Sound that begins when the clock has been acquired, and comes seconds after the pictures of its instant: the clock
    /// waits for it at once, for all but a step of 100 ms, and goes on as before.
    @Test func soundThatBeginsLaterIsWaitedFor() throws {
        var stream = SimulatedStream(seed: 4)
        stream.slack = { _, _ in .milliseconds(900) }
        stream.run(.seconds(5))
        let before = try #require(stream.clock.correlation?.offset)
        stream.soundSlack = .milliseconds(-900)
        stream.run(.milliseconds(160))
        let offset = try #require(stream.clock.correlation?.offset)
        #expect((offset - before - .milliseconds(1_800)).magnitude < .milliseconds(1))
        var course = Course()
        stream.run(.seconds(10)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.holds == 0 && stream.clock.beginnings == 1)
    }

    /// The slack of sound, of which 50 ms are kept, counts in whole steps, and one that is a little greater than a step's end is of that step.
    @Test func soundAboutAStepMovesNothing() throws {
        var stream = SimulatedStream(seed: 4)
        stream.slack = { _, _ in .milliseconds(900) }
        for (sound, slack) in [(740, 600), (655, 600), (645, 500), (555, 500), (545, 400)] as [(Int64, Int64)] {
            stream.soundSlack = .milliseconds(sound)
            stream.run(.seconds(sound == 740 ? 5 : 1))
            #expect((stream.clock.statistics.slack - .milliseconds(slack)).magnitude < .milliseconds(1), "\(sound)")
        }
    }

    /// The network holds everything back for a while: what the sender's sound needs is as before.
    @Test(arguments: [300, 1_000, 3_000] as [Int64]) func aStallHoldsNothing(milliseconds: Int64) {
        var stream = SimulatedStream(seed: 4)
        stream.soundSlack = .milliseconds(250)
        stream.run(.seconds(10))
        let before = stream.clock.statistics.slack
        stream.heldUntil = stream.now + .milliseconds(milliseconds)
        stream.run(.seconds(10))
        #expect(stream.clock.statistics.holds == 0 && stream.clock.statistics.jumps == 0)
        #expect(before - stream.clock.statistics.slack <= .milliseconds(300))
    }

    /// One decoding time that is wrong moves nothing.
    @Test(arguments: [-1_500, 5_000] as [Int64]) func aWrongDecodingTimeIsNotFollowed(milliseconds: Int64) {
        var stream = SimulatedStream(seed: 4)
        stream.run(.seconds(10))
        var course = Course()
        let usual = stream.unitShift
        stream.unitShift = usual + .milliseconds(milliseconds)
        stream.run(.milliseconds(40))
        stream.unitShift = usual
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst < .milliseconds(1))
        #expect(stream.clock.statistics.holds == 0 && stream.clock.statistics.jumps == 0)
    }

    @Test func wholeSecondsAtOnce() {
        var stream = SimulatedStream(seed: 8)
        stream.network = .bursts(.seconds(1))
        stream.run(.seconds(10))
        var course = Course()
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.jumps == 0)
        // The burst's last packet is as late as any: up to a reference interval before its end.
        #expect(course.worst <= .milliseconds(40))
    }

    @Test func unitsAloneAreAClock() {
        var stream = SimulatedStream(seed: 3)
        stream.referenceInterval = nil
        stream.network = .jitter(.milliseconds(50))
        stream.drift = -100
        stream.run(.seconds(8))
        var course = Course()
        stream.run(.seconds(120)) { course.observe(&$0) }
        #expect(stream.clock.statistics.source == .timeStamps && stream.clock.statistics.references == 0)
        #expect(!course.isTooFast && course.worst < .milliseconds(2))
    }

    @Test func referencesComeLaterAndGoAgain() {
        var stream = SimulatedStream(seed: 5)
        stream.referenceInterval = nil
        stream.run(.seconds(20))
        var course = Course()
        stream.referenceInterval = .milliseconds(40)
        stream.startReferencesNow()
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(stream.clock.statistics.source == .references)
        stream.referenceInterval = nil
        stream.run(.seconds(20)) { course.observe(&$0) }
        #expect(stream.clock.statistics.source == .timeStamps)
        #expect(!course.isTooFast && course.worst < .milliseconds(1))
        #expect(stream.clock.statistics.jumps == 0)
    }

    @Test func wholeSecondsOfUnitsAlone() {
        var stream = SimulatedStream(seed: 8)
        stream.referenceInterval = nil
        stream.network = .bursts(.seconds(1))
        stream.run(.seconds(10))
        var course = Course()
        stream.run(.seconds(60)) { course.observe(&$0) }
        #expect(!course.isTooFast && course.worst <= .milliseconds(60))
        #expect(stream.clock.statistics.jumps == 0)
    }

    /// No more than 0.5 %, whatever arrives.
    @Test(arguments: Effort.seeds(20), [nil, 40] as [Int64?]) func neverMovesFaster(seed: UInt64, interval: Int64?) {
        var stream = SimulatedStream(seed: seed)
        stream.referenceInterval = interval.map { .milliseconds($0) }
        stream.network = .jitter(.milliseconds(600))
        stream.slack = { _, random in .milliseconds(.random(in: 10...690, using: &random)) }
        stream.run(.seconds(5))
        var course = Course()
        stream.run(.seconds(30)) { course.observe(&$0) }
        #expect(!course.isTooFast && stream.clock.statistics.jumps == 0)
    }
}
