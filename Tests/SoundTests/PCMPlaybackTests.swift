// SPDX-License-Identifier: Apache-2.0
import System
import TestSupport
import Testing
import Time

@testable import Sound

/// Every frame has its number, so that what is heard says what became of each.
@Suite struct PCMPlaybackTests {
    private let clock = ManualClock()

    private final class Writer {
        let playback: PCMPlayback
        private var next = 1

        init(_ card: FakeCard, _ clock: ManualClock) throws {
            playback = try PCMPlayback(card, sizes: .usual, clock: clock)
        }

        func write(periods: Int, frames: Int = 480) throws {
            for _ in 0..<periods {
                let samples = (next..<next + frames).flatMap { [Float($0), Float(-$0)] }
                next += frames
                try samples.withUnsafeBufferPointer { try playback.write($0) }
            }
        }
    }

    private func rises(_ heard: [Float]) -> Bool {
        let numbers = heard.filter { $0 != 0 }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }

    @Test func whatIsWrittenIsHeardBehindSilenceOfAllButAPeriod() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        try writer.write(periods: 100)
        #expect(writer.playback.underruns == 0)
        #expect(card.heard.prefix(1_920).allSatisfy { $0 == 0 })
        #expect(card.heard.dropFirst(1_920).elementsEqual((1...(card.heard.count - 1_920)).map(Float.init)))
        #expect(card.heard.count > 40_000)
    }

    @Test func anUnderrunCostsWhatWasNotPlayedAndNothingElse() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        try writer.write(periods: 20)
        clock.pass(.milliseconds(200))
        let began = clock.now()
        try writer.write(periods: 40)
        #expect(writer.playback.underruns == 1)
        #expect(rises(card.heard))
        // No burst: forty periods, of which the buffer holds four, take their time.
        #expect(clock.now() - began >= .milliseconds(340))
        #expect(card.heard.dropFirst(1_920).count { $0 == 0 } == 1_920)
    }

    @Test func whatRunsDryTimeAndAgainHasADeeperBuffer() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        for _ in 0..<4 {
            try writer.write(periods: 20)
            clock.pass(.milliseconds(70))
        }
        try writer.write(periods: 1)
        #expect(card.buffer == 4_800 && card.period == 960)
        try writer.write(periods: 20)
        clock.pass(.milliseconds(70))
        try writer.write(periods: 20)
        #expect(writer.playback.underruns == 4)
        #expect(rises(card.heard))
    }

    @Test func whatRunsDryNowAndThenHasNot() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        for _ in 0..<6 {
            try writer.write(periods: 20)
            clock.pass(.seconds(4))
        }
        #expect(card.buffer == 2_400)
        #expect(writer.playback.underruns == 5)
    }

    /// A machine that has no time for sound: the device is none the worse for it.
    @Test func whoIsAlwaysLateDoesNotLoseIt() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        for _ in 0..<50 {
            try writer.write(periods: 1)
            clock.pass(.milliseconds(300))
        }
        #expect(card.buffer == 9_600)
        #expect(writer.playback.underruns == 49)
    }

    @Test func whatDoesNothingButRunDryIsLost() throws {
        let card = FakeCard(clock)
        card.isBroken = true
        let writer = try Writer(card, clock)
        let error = thrown(SoundError.self) { try writer.write(periods: 1_000) }
        #expect(error == .lost(SystemCallError("snd_pcm_writei fake", Errno(rawValue: 32))))
        #expect(card.prepared < 20)
    }

    @Test func afterASuspendItGoesOnWhereItStood() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        card.acts = [(clock.now() + .milliseconds(300), .suspend(resumes: true))]
        try writer.write(periods: 100)
        #expect(writer.playback.underruns == 0)
        #expect(card.heard.dropFirst(1_920).elementsEqual((1...(card.heard.count - 1_920)).map(Float.init)))
    }

    @Test func whatCannotResumeIsBegunAnew() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        card.acts = [(clock.now() + .milliseconds(300), .suspend(resumes: false))]
        try writer.write(periods: 100)
        #expect(writer.playback.underruns == 1)
        #expect(rises(card.heard))
    }

    @Test func whatVanishesIsLost() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        card.acts = [(clock.now() + .milliseconds(300), .vanish)]
        let error = thrown(SoundError.self) { try writer.write(periods: 100) }
        #expect(error == .lost(SystemCallError("snd_pcm_writei fake", .noDevice)))
    }

    @Test func whatVanishesWhileItIsDryIsLost() throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        try writer.write(periods: 10)
        card.acts = [(clock.now() + .milliseconds(150), .vanish)]
        clock.pass(.milliseconds(200))
        #expect(thrown(SoundError.self) { try writer.write(periods: 1) } != nil)
    }

    @Test(arguments: [false, true]) func whatTakesNothingIsLostWithinASecond(saysOtherwise: Bool) throws {
        let card = FakeCard(clock)
        let writer = try Writer(card, clock)
        card.takesEverything = saysOtherwise
        let begin = clock.now()
        card.acts = [(begin + .milliseconds(300), .freeze)]
        let error = thrown(SoundError.self) { try writer.write(periods: 1_000) }
        #expect(error == .lost(SystemCallError("snd_pcm_wait fake", .timedOut)))
        #expect(clock.now() - begin < .milliseconds(1_600))
        #expect(card.calls < 6_000)
    }

    @Test func whatTakesEverythingIsGivenItsTime() throws {
        let card = FakeCard(clock)
        card.takesEverything = true
        let writer = try Writer(card, clock)
        let begin = clock.now()
        try writer.write(periods: 1_000)
        #expect(clock.now() - begin > .milliseconds(9_700))
        let ahead: Nanoseconds = writer.playback.nextAudible() - clock.now()
        #expect(ahead.magnitude < .milliseconds(250))
    }

    @Test(arguments: [1, 480, 1_024], [-100, 0, 100] as [Int64])
    func timesAreTrueAndEven(granularity: Int, partsPerMillion: Int64) throws {
        let card = FakeCard(clock, period: 480, buffer: 4_800)
        card.granularity = granularity
        card.partsPerMillion = partsPerMillion
        let writer = try Writer(card, clock)
        var last = writer.playback.nextAudible()
        for _ in 0..<(Effort.isEmulated ? 100 : 500) {
            try writer.write(periods: 1)
            let next = writer.playback.nextAudible()
            let step: Nanoseconds = next - last
            #expect((step - .milliseconds(10)).magnitude < .microseconds(50))
            #expect((next - card.truth).magnitude < .milliseconds(2))
            last = next
        }
    }
}
