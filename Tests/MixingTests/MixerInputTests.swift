// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import TestSupport
import Testing
import Time

@testable import Mixing

@Suite struct MixerInputTests {
    /// Below this nobody hears a click in a tone of amplitude 1/2.
    private let smooth: Float = 0.004

    @Test func soundBeginsWhenItIsDueToTheFrame() throws {
        var sender = Sender()
        sender.frequency = 0.000_1
        sender.amplitude = 1
        var input = MixerInput()
        let head = PlaybackClock.State(delay: .seconds(2))
        for _ in 0..<8 {
            // Not a tone but a level: the fade shows where it begins.
            let level = [Float](repeating: 0.5, count: 2_048)
            try level.withUnsafeBufferPointer {
                try input.append(
                    AudioBlock(sampleRate: 48_000, channels: 2, channelMask: 0, samples: $0, pts: nil),
                    at: sender.nextTime, offset: .zero, epoch: 0)
            }
            sender.skip(1_024)
        }
        var samples = [Float](repeating: 1, count: 960)
        let early = Nanoseconds(100 * 1_000_000_000 / 48_000)
        samples.withUnsafeMutableBufferPointer {
            input.read(into: $0, at: sender.start + .seconds(2) - early, head)
        }
        #expect(samples[..<200].allSatisfy { $0 == 0 })
        #expect(samples[200...].allSatisfy { $0 > 0 })
        #expect(abs(samples[2 * 339] - 0.5) < 0.001, "240 frames of fade")
        let silence = input.counters.silenceFrames
        #expect(silence == 100)
    }

    /// Issue 3: hours of a sender that is 100 ppm off, as many as there is time for: `TOUCHLINE_SOUND_SECONDS`, else 30 s.
    /// DriftLoopTests has all six.
    @Test(arguments: [-100.0, 100.0], [0, 5 * 3_600 * 48_000])
    func soundFollowsASenderWhoseClockIsWrong(speed: Double, sentBefore: Int) throws {
        var sender = Sender()
        sender.speed = speed
        sender.skip(sentBefore)
        let run = InputRun(sender)
        run.now = sender.nextTime + .milliseconds(950)
        try run.run(periods: 1_000)
        run.listener.restart()
        let seconds = ProcessInfo.processInfo.environment["TOUCHLINE_SOUND_SECONDS"].flatMap { Int($0) }
        try run.run(periods: 100 * (seconds ?? Effort.scaled(30)))
        #expect(run.largestError <= 5_000)
        #expect(abs(run.counters.errorUs) <= 100)
        #expect(run.largestCorrection <= 5_000_000)
        #expect(run.listener.roughness < smooth)
        #expect(run.listener.silentSamples < 10)
        #expect(run.counters.skippedFrames == 0)
        #expect(abs(run.listener.measuredFrequency - 1_000 * (1 + speed / 1e6)) < 0.05)
        // Heard where it should be, by the tone itself: modulo its period, which is 1 ms.
        let passage = try #require(run.listener.lastPassage)
        let heard = run.now - Nanoseconds(Int64((Double(run.listener.count) - passage) / 48_000 * 1e9)) - run.head.delay
        let periods = Double((heard - sender.start).count) / 1e9 * (1 + speed / 1e6) * 1_000
        #expect(abs(periods - periods.rounded()) < 0.2)
    }

    @Test(arguments: [(44_100, 1), (48_000, 2), (48_000, 6), (32_000, 2), (96_000, 2)] as [(Int, Int)])
    func everyFormatIsHeardAtItsPitchAndTime(rate: Int, channels: Int) throws {
        let run = InputRun(Sender(rate: rate, channels: channels))
        try run.run(periods: 60)
        run.listener.restart()
        try run.run(periods: Effort.scaled(1_000))
        #expect(run.listener.roughness < smooth)
        #expect(abs(run.listener.measuredFrequency - 1_000) < 0.1)
        #expect(abs(run.listener.peak - 0.5) < 0.01)
        #expect(run.largestError < 100)
    }

    @Test func jitterOfTimeStampsIsNotHeard() throws {
        let run = InputRun(Sender())
        var random = SplitMix64(seed: 5)
        try run.run(periods: 50)
        run.listener.restart()
        for _ in 0..<1_000 {
            let jitter = Nanoseconds.microseconds(Int64.random(in: -1_000...1_000, using: &random))
            run.input.trim(at: run.now, run.head)
            while run.input.wantsMore {
                try run.sender.send { try run.input.append($0, at: $1 + jitter, offset: .zero, epoch: 0) }
            }
            try run.run(periods: 1, feeds: false)
        }
        #expect(run.listener.roughness < smooth)
        #expect(run.listener.silentSamples < 10)
        #expect(abs(run.listener.measuredFrequency - 1_000) < 0.1)
        #expect(run.largestCorrection < 1_000_000)
    }

    /// The playback clock stretches to D by 0.5 % after a join.
    @Test func aStretchedDelayIsFollowedWithin20Milliseconds() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        for _ in 0..<1_000 {
            run.head.delay = run.head.delay + .microseconds(50)
            try run.run(periods: 1)
        }
        try run.run(periods: 3_000)
        #expect(run.largestError < 20_000)
        #expect(abs(run.counters.errorUs) < 200)
        #expect(run.largestCorrection <= 5_000_000)
        #expect(run.listener.roughness < smooth)
        #expect(run.counters.skippedFrames == 0)
    }

    @Test func pauseKeepsWhatHasNotBeenHeard() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        run.head.pausedAt = run.now
        let paused = run.now
        try run.run(periods: 1)
        run.listener.restart()
        try run.run(periods: 500)
        #expect(run.listener.peak == 0)
        run.head.pausedAt = nil
        run.head.delay = run.head.delay + (run.now - paused)
        let skipped = run.counters.skippedFrames
        run.largestError = 0
        try run.run(periods: 200)
        #expect(run.listener.roughness < smooth)
        #expect(run.listener.peak > 0.49)
        #expect(run.counters.skippedFrames == skipped)
        #expect(run.largestError < 1_000)
    }

    @Test func aSeekIsHeardFromItsOwnEpochOn() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        // 20 s back: what is due now was sent 20 s ago.
        run.head.epoch = 1
        run.head.delay = run.head.delay + .seconds(20)
        var again = Sender()
        again.frequency = 1_000
        while again.nextTime < run.now - run.head.delay { again.skip(1_024) }
        run.sender = again
        run.largestError = 0
        try run.run(periods: 300)
        #expect(run.listener.roughness < smooth)
        #expect(run.largestError < 1_000)
        #expect(run.counters.skippedFrames > 0, "what was decoded of the epoch before")
    }

    /// The decode thread has put units of the seek before the playback clock says so, or the other way round.
    @Test func anEpochThatIsNotYetTrueWaits() throws {
        let run = InputRun(Sender())
        try run.run(periods: 50)
        try run.sender.send { try run.input.append($0, at: $1, offset: .zero, epoch: 3) }
        try run.run(periods: 50, feeds: false)
        #expect(!run.isPlaying)
        #expect(run.framesWaiting > 0)
        run.head.epoch = 3
        run.head.delay = run.head.delay + .milliseconds(400)
        try run.run(periods: 50)
        #expect(run.isPlaying)
    }

    @Test(arguments: [1_024, 120, 1_536, 2_048]) func lostBlocksAreSilentAndTheRestStaysInPlace(size: Int) throws {
        let run = InputRun(Sender())
        run.blockSize = size
        run.lost = size < 240 ? [400, 401, 402, 403, 600, 601, 602] : [20, 31, 32, 33, 50]
        try run.run(periods: 300)
        #expect(run.listener.roughness < smooth)
        #expect(run.largestError < 1_500)
        #expect(run.counters.skippedFrames < 10)
        let lost = Int64(run.lost.count * size)
        #expect(abs(run.counters.silenceFrames - 4_800 - lost) < 60, "and what the resampler holds")
    }

    @Test func aWantOfBlocksFadesOutAndComesBackInPlace() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        try run.run(periods: 100, feeds: false)
        #expect(!run.isPlaying)
        run.largestError = 0
        try run.run(periods: 100)
        #expect(run.isPlaying)
        #expect(run.listener.roughness < smooth)
        #expect(run.largestError < 1_000)
        #expect(run.counters.skippedFrames > 0)
    }

    @Test(arguments: [-100, -45, 45, 100, 5_000]) func aJumpIsFollowedAtOnce(milliseconds: Int64) throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        run.head.delay = run.head.delay + .milliseconds(milliseconds)
        try run.run(periods: 2)
        run.largestError = 0
        try run.run(periods: 600)
        #expect(run.isPlaying)
        #expect(run.listener.roughness < smooth)
        #expect(run.largestError < 1_000)
    }

    /// A step that is too small to be a jump is told by the clock: it is not caught up with in seconds of another speed.
    @Test(arguments: [5, 30]) func aStepOfThePlaybackClockIsFollowedAtOnce(milliseconds: Int64) throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        run.head.delay = run.head.delay + .milliseconds(milliseconds)
        run.head.steps += 1
        try run.run(periods: 2)
        run.largestError = 0
        try run.run(periods: 300)
        #expect(run.isPlaying)
        #expect(run.listener.roughness < smooth)
        #expect(run.largestError < 1_000)
    }

    /// A rate that the clock tells is kept at once, and not found out from what it does.
    @Test func aSteeredClockIsFollowedClosely() throws {
        let run = InputRun(Sender())
        try run.run(periods: 1_000)
        run.largestError = 0
        run.head.rate = 1_000_000
        for _ in 0..<500 {
            run.head.delay = run.head.delay + .microseconds(10)
            try run.run(periods: 1)
        }
        #expect(run.largestError < 400)
        #expect(run.largestCorrection <= 1_500_000)
        #expect(run.listener.roughness < smooth)
    }

    @Test func aTimeLineThatGoesBackIsFollowed() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        let right = run.sender
        run.sender.start = run.sender.start + .seconds(3_600)  // a wrong time, for 10 blocks
        for _ in 0..<10 { try run.feed() }
        run.sender = right
        for _ in 0..<10 { try run.feed() }
        try run.run(periods: 100)
        #expect(run.isPlaying)
        #expect(run.listener.roughness < smooth)
    }

    @Test func anotherFormatInMidStreamIsHeard() throws {
        let run = InputRun(Sender())
        try run.run(periods: 100)
        let end = run.sender.nextTime
        run.sender = Sender(rate: 44_100, channels: 1)
        run.sender.start = end
        run.listener.restart()
        try run.run(periods: 100)
        #expect(run.listener.roughness < smooth)
        #expect(run.isPlaying)
    }

    @Test func blocksThatFillTheRingAreCountedNotKept() throws {
        let run = InputRun(Sender())
        for _ in 0..<200 { try run.feed() }
        #expect(run.framesWaiting <= 1 << 16)
        #expect(run.counters.skippedFrames > 100_000)
        try run.run(periods: 300)
        #expect(run.listener.roughness < smooth)
    }

    @Test(arguments: Effort.seeds(50)) func nothingEverTraps(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let run = InputRun(Sender())
        for _ in 0..<300 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: run.sender.start = Monotonic(nanoseconds: .random(in: .min ... .max, using: &random))
            case 1: run.head.delay = Nanoseconds(.random(in: .min ... .max, using: &random))
            case 2: run.head.epoch += Int.random(in: -2...2, using: &random)
            case 3: run.head.pausedAt = run.head.isPaused ? nil : run.now
            case 4: run.blockSize = .random(in: 0...9_000, using: &random)
            case 5: run.now = Monotonic(nanoseconds: .random(in: .min ... .max, using: &random))
            case 6: run.input.beginAgain()
            case 7: run.sender.rate = [1, 8_000, 44_100, 48_000, 192_000, 400_000].randomElement(using: &random) ?? 0
            case 8: run.sender.channels = .random(in: 1...9, using: &random)
            case 9:
                run.sender = Sender()
                run.head = PlaybackClock.State(delay: .seconds(1))
                run.now = run.sender.start + .seconds(1)
            default:
                for _ in 0..<Int.random(in: 0...20, using: &random) { _ = try? run.feed() }
            }
            try run.run(periods: 3, feeds: false)
        }
    }
}
