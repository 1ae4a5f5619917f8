// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import TestSupport
import Testing
import Time

@testable import Mixing

@Suite struct SoundMixTests {
    private static let tone = Result { try CodedTone() }
    private struct Attached {
        weak var queue: AudioQueue?
    }

    /// What AAC leaves of a tone is no cleaner.
    private let smooth: Float = 0.01

    @Test func aSessionIsDecodedAndHeardWhenDue() throws {
        let run = MixRun()
        _ = run.attach(1, try Self.tone.get())
        run.run(periods: 30)
        run.listener.restart()
        run.run(periods: 200)
        #expect(abs(run.listener.measuredFrequency - 1_000) < 1)
        #expect(run.listener.roughness < smooth)
        #expect(abs(run.listener.peak - 0.5) < 0.03)
        #expect(abs(run.mix.counters.audioErrorUs) < 1_000)
        #expect(run.mix.counters.decodeErrors == 0)
        #expect(run.mix.counters.unitsDecoded > 100)
    }

    /// G-20: volume 50 is -6 dB within half a decibel. A session's and the sum's.
    @Test(arguments: [1, nil] as [Int?]) func volumeAndMuteAreHeardWithoutAClick(session: Int?) throws {
        let run = MixRun()
        let queue = run.attach(1, try Self.tone.get())
        run.run(periods: 50)
        run.listener.restart()
        let full = run.mix.counters
        run.mix.perform(.setVolume(50, session: session))
        run.run(periods: 50)
        #expect(abs(run.mix.counters.peakCentidecibels - full.peakCentidecibels + 602) < 50)
        #expect(abs(run.mix.counters.rmsCentidecibels - full.rmsCentidecibels + 602) < 50)
        run.mix.perform(.setMuted(true, session: session))
        run.run(periods: 50)
        #expect(run.mix.counters.peakCentidecibels == Int64(SoundLevel.silence))
        run.mix.perform(.setMuted(false, session: session))
        run.mix.perform(.setVolume(100, session: session))
        run.run(periods: 50)
        #expect(abs(run.mix.counters.rmsCentidecibels - full.rmsCentidecibels) < 50)
        #expect(run.listener.roughness < smooth)
        withExtendedLifetime(queue) {}
    }

    @Test func volumeOfAnotherSessionChangesNothing() throws {
        let run = MixRun()
        let queue = run.attach(1, try Self.tone.get())
        run.mix.perform(.setVolume(0, session: 2))
        run.run(periods: 50)
        #expect(run.listener.peak > 0.4)
        withExtendedLifetime(queue) {}
    }

    @Test func sixteenSessionsAreLimitedToFullScale() throws {
        let run = MixRun()
        let queues = try (1...16).map { run.attach($0, try Self.tone.get()) }
        run.run(periods: Effort.scaled(150))
        #expect(run.mix.inputCount == 16)
        #expect(run.listener.peak <= 1.000_1 && run.listener.peak > 0.9)
        #expect(run.mix.counters.peakCentidecibels <= 0)
        for queue in queues { run.mix.perform(.detach(session: queue.session)) }
        run.run(periods: 2)
        #expect(run.mix.inputCount == 0)
    }

    @Test func twoHundredSessionsComeAndGoWithoutAClick() throws {
        let run = MixRun()
        for session in 1...Effort.scaled(200) {
            let attached = Attached(queue: run.attach(session, try Self.tone.get()))
            run.run(periods: 12)
            run.mix.perform(.detach(session: session))
            run.run(periods: 2)
            #expect(run.mix.inputCount == 0)
            #expect(attached.queue == nil)
        }
        #expect(run.listener.roughness < 0.02)
        #expect(run.listener.peak > 0.4)
        #expect(run.mix.counters.unitsDecoded >= 200 * 12 / 20)
    }

    @Test func unitsOfAnEpochBeforeAreNotEvenDecoded() throws {
        let run = MixRun()
        let queue = run.attach(1, try Self.tone.get())
        queue.playbackClock.set(PlaybackClock.State(delay: run.delay, epoch: 1))
        run.run(periods: 50)
        #expect(run.mix.counters.unitsDecoded == 0)
        #expect(run.listener.peak == 0)
        try Self.tone.get().putAll(into: queue, offset: run.now - run.delay, epoch: 1)
        run.run(periods: 50)
        #expect(run.listener.peak > 0.4)
        #expect(run.listener.roughness < smooth)
    }

    @Test func damagedUnitsAreCountedAndTheRestIsHeardInPlace() throws {
        let run = MixRun()
        let tone = try Self.tone.get()
        let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: run.delay)))
        for index in 0..<tone.count {
            tone.put(index, into: queue, offset: run.now - run.delay) { bytes in
                if index % 20 == 10 { for place in 7..<bytes.count { bytes[place] = 0xff } }
            }
        }
        run.mix.perform(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run.run(periods: 300)
        #expect(run.mix.counters.decodeErrors > 0)
        #expect(abs(run.mix.counters.audioErrorUs) < 1_000)
        #expect(run.listener.peak > 0.4)
    }

    @Test func aDecoderThatErrsForEverIsMadeAnew() throws {
        let run = MixRun()
        let tone = try Self.tone.get()
        let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: run.delay)))
        for index in 0..<100 {
            tone.put(index, into: queue, offset: run.now - run.delay) { $0 = [UInt8](repeating: 0, count: 300) }
        }
        run.mix.perform(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run.run(periods: 10)
        tone.putAll(into: queue, offset: run.now - run.delay)
        run.run(periods: 50)
        #expect(run.listener.peak > 0.4)
    }

    /// Otherwise the mixer would wait for them with all behind them.
    @Test func unitsOfALiveSessionFromTheFutureAreNotBelieved() throws {
        let run = MixRun()
        let tone = try Self.tone.get()
        let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: run.delay)))
        for index in 0..<100 { tone.put(index, into: queue, offset: run.now + .seconds(3_600)) }
        run.mix.perform(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run.run(periods: 10)
        #expect(run.mix.counters.skippedFrames > 90 * 1_024)
        tone.putAll(into: queue, offset: run.now - run.delay)
        run.run(periods: 50)
        #expect(run.listener.peak > 0.4)
    }

    /// A file is read ahead of its time: nothing of it is thrown away.
    @Test func unitsOfAFileFromTheFutureAreWaitedFor() throws {
        let run = MixRun()
        let tone = try Self.tone.get()
        let queue = AudioQueue(
            session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: .zero)), waitsForRoom: true)
        tone.putAll(into: queue, offset: run.now + .seconds(10))
        run.mix.perform(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run.run(periods: 990)
        #expect(run.listener.peak == 0)
        run.run(periods: 100)
        #expect(run.listener.peak > 0.4)
        #expect(run.mix.counters.skippedFrames == 0)
    }

    @Test func aSeekOvertakesAllThatIsQueued() throws {
        let run = MixRun()
        let tone = try Self.tone.get()
        let queue = run.attach(1, tone)
        run.run(periods: 30)
        queue.playbackClock.set(PlaybackClock.State(delay: run.delay, epoch: 1))
        tone.putAll(into: queue, offset: run.now - run.delay, epoch: 1)
        run.run(periods: 3)
        run.listener.restart()
        run.run(periods: 20)
        #expect(run.listener.peak > 0.4)
        #expect(run.listener.silentSamples < 10)
    }

    @Test func theTimeLineOfTheOutputJumps() throws {
        let run = MixRun()
        let queue = run.attach(1, try Self.tone.get())
        run.run(periods: 50)
        run.mix.beginAgain()
        run.run(periods: 50)
        #expect(run.listener.roughness < smooth)
        #expect(abs(run.mix.counters.audioErrorUs) < 1_000)
        withExtendedLifetime(queue) {}
    }
}
