// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Sound
import Synchronization
import System
import Testing
import Time

@testable import Mixing

/// On the test's own thread, in time that passes when somebody sleeps.
@Suite struct MixLoopTests {
    private final class PassingClock: PacingClock {
        private let instant = Mutex(Monotonic(nanoseconds: 1_000_000_000_000))

        func now() -> Monotonic { instant.withLock { $0 } }
        func sleep(until deadline: Monotonic) { instant.withLock { $0 = max($0, deadline) } }
    }

    private let clock = PassingClock()
    private let stopping = StopFlag()
    private let heard = LatestValue<[Float]>([])
    private let counters = LatestValue(MixerCounters())
    private let commands = Mailbox<Mixer.Command>()

    private func output(
        _ script: [Int: ScriptedOutput.Act] = [:], sampleRate: Int = 48_000, length: Int
    ) -> ScriptedOutput {
        ScriptedOutput(
            sampleRate: sampleRate, script: script, length: length, begin: clock.now(), stopping: stopping,
            heard: heard)
    }

    private func run(_ makeOutput: @escaping @Sendable () throws -> any SoundOutput) {
        MixLoop(makeOutput, commands: commands, counters: counters, clock: clock).run(until: stopping)
    }

    @Test func withoutAnOutputItLooksForOneOnceASecond() {
        let attempts = Counter()
        let begin = clock.now()
        run {
            attempts.add()
            if attempts.value < 5 { throw SoundError.lost(SystemCallError("open", .noDevice)) }
            return output(length: 10)
        }
        #expect(attempts.value == 5)
        let passed: Nanoseconds = clock.now() - begin
        #expect((passed - .seconds(4)).magnitude < .milliseconds(100))
        #expect(counters.value.outputErrors == 4)
        #expect(counters.value.isWithoutOutput == 0)
        #expect(counters.value.framesWritten == 480 * 410)
    }

    @Test func aLostOutputIsReplacedAndSoundGoesOnInPlace() throws {
        let attempts = Counter()
        let queue = AudioQueue(session: 1, playHead: PlayHead(PlayHead.State(delay: .seconds(1))))
        let tone = try CodedTone()
        tone.putAll(into: queue, offset: clock.now() - .seconds(1))
        commands.post(.attach(queue, volume: 100, isMuted: false, LatestValue(InputCounters())))
        run {
            attempts.add()
            return attempts.value == 1 ? output([20: .lose], length: .max) : output(length: 50)
        }
        #expect(attempts.value == 2)
        #expect(counters.value.outputErrors == 1)
        #expect(abs(counters.value.audioErrorUs) < 1_000)
        #expect(heard.value.suffix(9_600).contains { $0 > 0.4 })
    }

    @Test func whatIsNotKeptIsCountedAndNoReasonToOpenAgain() {
        let attempts = Counter()
        run {
            attempts.add()
            return output([3: .fail, 4: .fail], length: 50)
        }
        #expect(attempts.value == 1)
        #expect(counters.value.outputErrors == 2)
    }

    @Test func underrunsAreCounted() {
        run { output([3: .runDry, 40: .runDry], length: 50) }
        #expect(counters.value.underruns == 2)
        #expect(counters.value.framesWritten == 480 * 50)
    }

    @Test func aDeviceOfAnotherRateIsGivenItsOwn() throws {
        let queue = AudioQueue(session: 1, playHead: PlayHead(PlayHead.State(delay: .seconds(1))))
        try CodedTone().putAll(into: queue, offset: clock.now() - .seconds(1))
        commands.post(.attach(queue, volume: 100, isMuted: false, LatestValue(InputCounters())))
        run { output(sampleRate: 44_100, length: 200) }
        let left = stride(from: 0, to: heard.value.count, by: 2).map { heard.value[$0] }
        #expect(abs(left.count - 88_200) < 1_000)
        let middle = left[22_050..<66_150]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((999...1_001).contains(crossings))
    }
}
