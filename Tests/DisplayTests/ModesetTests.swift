// SPDX-License-Identifier: Apache-2.0
import Buffers
import Glibc
import Scene
import System
import Testing
import Time

@testable import Display

/// Modes that take their time, or never come. The service's watchdog is fed by who calls the driver.
struct ModesetTests {
    /// Of two flips.
    private static let patience = FakeCard.frameSpan * 2

    @Test(arguments: [1, 2, 9, 10, 100] as [Int64]) func nobodyWaitsForASlowOne(seconds: Int64) {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.longestCall = .zero
        bench.card.modesetSpan = .seconds(seconds)
        let (start, serial) = (bench.now, bench.serial)
        bench.driver?.follow(content: FrameRate(50))
        #expect(bench.now == start && bench.seen == nil)
        bench.card.modesetSpan = FakeCard.usualModesetSpan
        let span = bench.timeToPicture(within: .seconds(200))
        #expect(bench.longestCall <= Self.patience, "\(bench.longestCall)")
        // It is what was set that is seen in the end, and nothing was set upon it.
        #expect(bench.driver?.status.mode == "192x108@50")
        #expect(span.map { $0 <= .seconds(seconds) + .milliseconds(60) } ?? false, "\(span as Any)")
        #expect(bench.serial - serial >= Int(seconds) * 49, "pictures go on")
        #expect(
            bench.counters.modesetsLost == (seconds > 3 ? 1 : 0) && bench.counters.longestRecoveryMs <= seconds * 1_020)
        bench.run(for: .milliseconds(100))
        #expect(bench.seen == bench.serial && bench.card.brokenRules == [])
    }

    @Test func lostOnesAreFollowedByTheNext() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.losesModesets = 1
        bench.card.replug(50)
        bench.tell()
        #expect(bench.timeToPicture().map { $0 <= .milliseconds(3_150) } ?? false)
        #expect(bench.driver?.status.mode == "192x108@50" && bench.counters.modesetsLost == 1)
        // The better one is tried again later.
        bench.run(for: .seconds(31))
        #expect(bench.driver?.status.mode == "192x108@60" && bench.seen == bench.serial)
        #expect(
            bench.longestCall <= Self.patience && bench.card.brokenRules == [] && bench.card.livingFramebuffers == 2)
    }

    /// A card that accepts two modes and never reports them done. Each try darkens the screen for three seconds.
    @Test func modesThatAreAlwaysLostDarkenADayForSeconds() {
        let large = PixelSize(width: 192, height: 108)
        let bench = ScreenBench { $0.lostSizes = [large] }
        bench.isPlaying = false
        var dark = Nanoseconds.zero
        let start = bench.now
        while bench.now - start < .seconds(86_400) {
            let before = bench.now
            bench.run(for: .milliseconds(250))
            if bench.seen == nil { dark = dark + (bench.now - before) }
        }
        #expect(bench.driver?.status.mode == "128x72@60" && bench.counters.modesetsLost == 4)
        #expect(dark < .seconds(30), "\(dark)")
        // With the next display they are tried again.
        bench.card.lostSizes = []
        bench.card.replug(50)
        bench.tell()
        bench.run(for: .seconds(32))
        #expect(bench.driver?.status.mode == "192x108@60" && bench.seen == bench.serial)
        #expect(bench.card.brokenRules == [])
    }

    @Test func allLost() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.losesModesets = .max
        bench.card.replug(50)
        bench.tell()
        bench.run(for: .seconds(60))
        #expect(bench.seen == nil && bench.counters.modesetsLost >= 15 && bench.card.livingFramebuffers <= 8)
        bench.card.losesModesets = 0
        #expect(bench.timeToPicture().map { $0 <= .milliseconds(3_150) } ?? false)
        #expect(bench.longestCall <= Self.patience && bench.card.brokenRules == [])
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingDumbBuffers == 0)
        #expect(bench.card.livingBlobs == 0)
    }

    /// What happens to the display, and what is wished, while its mode is set.
    @Test func whatIsMissedMeanwhile() {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.modesetSpan = .seconds(1)
        bench.card.breakLink(50)
        bench.tell()
        bench.run(for: .milliseconds(100))
        bench.card.replug(50)
        bench.tell()
        bench.driver?.follow(content: FrameRate(50))
        #expect(bench.timeToPicture().map { $0 <= .milliseconds(3_150) } ?? false)
        #expect(bench.driver?.status.mode == "192x108@50" && bench.card.brokenRules == [])
    }

    @Test(arguments: [true, false]) func unpluggedMeanwhile(comesAgain: Bool) {
        let bench = ScreenBench()
        bench.run(for: .seconds(1))
        bench.card.modesetSpan = .seconds(2)
        bench.driver?.follow(content: FrameRate(50))
        bench.run(for: .milliseconds(100))
        bench.card[50] = nil
        bench.tell()
        bench.run(for: comesAgain ? .milliseconds(500) : .seconds(5))
        #expect(bench.driver?.status.connector == nil)
        bench.card[50] = .other
        bench.tell()
        #expect(bench.timeToPicture().map { $0 <= .seconds(5) } ?? false)
        #expect(bench.driver?.status.mode == "128x72@50" && bench.longestCall <= Self.patience)
        #expect(bench.card.brokenRules == [] && bench.card.livingFramebuffers == 2)
    }

    /// What a driver does that sets modes while its caller waits only.
    @Test(arguments: [nil, EBUSY]) func asideOfTheOthers(refusal: Int32?) throws {
        let blockingCommit = BlockingCommit()
        let gate = StopFlag()
        try blockingCommit.run(token: 7) {
            while !gate.isRaised { SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(1)) }
            return refusal
        }
        #expect(blockingCommit.isRunning && blockingCommit.takeOutcome() == nil)
        gate.raise()
        var outcome: PageFlip?
        let limit = SystemClock.monotonic() + .seconds(10)
        while outcome == nil, SystemClock.monotonic() < limit { outcome = blockingCommit.takeOutcome() }
        #expect(outcome?.token == 7 && outcome?.refusal == refusal && !blockingCommit.isRunning)
    }
}
