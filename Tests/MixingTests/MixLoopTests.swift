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
    private let counters = PublishedValue(MixerCounters())
    private let commands = Mailbox<Mixer.Command>()

    private let reports = LatestValue<[MixerReport]>([])

    private func output(
        _ script: [Int: ScriptedOutput.Act] = [:], name: String = "scripted", sampleRate: Int = 48_000, length: Int
    ) -> ScriptedOutput {
        ScriptedOutput(
            name: name, sampleRate: sampleRate, script: script, length: length, begin: clock.now(), stopping: stopping,
            heard: heard)
    }

    private func run(_ makeOutput: @escaping @Sendable () throws -> any SoundOutput) {
        let reports = reports
        MixLoop(makeOutput, commands: commands, counters: counters, clock: clock) { reports.set(reports.value + [$0]) }
            .run(until: stopping)
    }

    @Test func withoutAnOutputItLooksForOneAfterGrowingWaits() {
        let attempts = Counter()
        let begin = clock.now()
        run {
            attempts.add()
            if attempts.value < 5 { throw SoundError.lost(SystemCallError("open", .noDevice)) }
            return output(length: 10)
        }
        #expect(attempts.value == 5)
        let passed: Nanoseconds = clock.now() - begin
        #expect((passed - .seconds(15)).magnitude < .milliseconds(300))
        #expect(counters.value.outputErrors == 4)
        #expect(counters.value.isWithoutOutput == 0)
        #expect(counters.value.outputRetries == 4)
        #expect(counters.value.device == "scripted")
        let why = SoundError.lost(SystemCallError("open", .noDevice)).description
        #expect(reports.value == [.withoutOutput(why: why), .outputOpened("scripted")])
    }

    @Test func anOutputThatComesBackIsOpenedAtOnce() {
        let attempts = Counter()
        let begin = clock.now()
        let (clock, commands) = (clock, commands)
        run {
            attempts.add()
            // Gone for a while; the fourth look would be 15 s behind the first.
            if attempts.value == 4 { commands.post(.outputsChanged(best: [])) }
            if attempts.value < 5 { throw SoundError.lost(SystemCallError("open", .noDevice)) }
            return output(length: 1)
        }
        #expect(attempts.value == 5)
        let passed: Nanoseconds = clock.now() - begin
        #expect((passed - .seconds(7)).magnitude < .milliseconds(300))
    }

    @Test func aBetterOutputTakesOverAndAnEqualOneDoesNot() {
        let attempts = Counter()
        let commands = commands
        commands.post(.outputsChanged(best: ["a"]))
        run {
            attempts.add()
            if attempts.value == 1 {
                commands.post(.outputsChanged(best: ["b", "a"]))
                return output([2: .act { commands.post(.outputsChanged(best: ["b"])) }], name: "a", length: .max)
            }
            return output(name: "b", length: 5)
        }
        #expect(attempts.value == 2)
        #expect(reports.value == [.outputOpened("a"), .outputOpened("b")])
        #expect(counters.value.outputsLost == 0)
    }

    @Test func aLostOutputIsReplacedAndSoundGoesOnInPlace() throws {
        let attempts = Counter()
        let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: .seconds(1))))
        let tone = try CodedTone()
        tone.putAll(into: queue, offset: clock.now() - .seconds(1))
        commands.post(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run {
            attempts.add()
            return attempts.value == 1 ? output([20: .lose], length: .max) : output(length: 50)
        }
        #expect(attempts.value == 2)
        #expect(counters.value.outputErrors == 1)
        #expect(counters.value.outputsLost == 1)
        #expect(counters.value.outputRetries == 0)
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
        let queue = AudioQueue(session: 1, playbackClock: PlaybackClock(PlaybackClock.State(delay: .seconds(1))))
        try CodedTone().putAll(into: queue, offset: clock.now() - .seconds(1))
        commands.post(.attach(queue, volume: 100, isMuted: false, PublishedValue(InputCounters())))
        run { output(sampleRate: 44_100, length: 200) }
        let left = stride(from: 0, to: heard.value.count, by: 2).map { heard.value[$0] }
        #expect(abs(left.count - 88_200) < 1_000)
        let middle = left[22_050..<66_150]
        let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((999...1_001).contains(crossings))
    }
}
