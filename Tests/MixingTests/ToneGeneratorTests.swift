// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Mixing

@Suite struct ToneGeneratorTests {
    /// Both channels of so many frames, in periods of various lengths.
    private func play(_ generator: inout ToneGenerator, frames: Int) -> (left: [Float], right: [Float]) {
        var random = SplitMix64(seed: UInt64(frames))
        var (left, right): ([Float], [Float]) = ([], [])
        while left.count < frames {
            let count = min(frames - left.count, Int.random(in: 1...2_000, using: &random))
            var period = [Float](repeating: 0, count: 2 * count)
            period.withUnsafeMutableBufferPointer { generator.add(to: $0) }
            for index in 0..<count {
                left.append(period[2 * index])
                right.append(period[2 * index + 1])
            }
        }
        return (left, right)
    }

    /// The greatest step from a sample to the next, relative to that of the whole tone.
    private func roughness(_ samples: [Float], _ tone: TestTone) -> Double {
        let steepest = 2 * sin(.pi * Double(tone.frequency) / 48_000) * tone.amplitude
        return zip(samples, samples.dropFirst()).reduce(0) { max($0, Double(abs($1.1 - $1.0))) } / steepest
    }

    @Test(arguments: [(1_000, -20), (20, -60), (440, 0), (20_000, -6), (19_999, -1), (8_000, -18)])
    func itIsTheSineThatWasAskedFor(frequency: Int, level: Int) {
        let tone = TestTone(frequency: frequency, level: level, seconds: 2)
        var generator = ToneGenerator()
        generator.set(tone)
        let (left, right) = play(&generator, frames: 96_000)
        #expect(left == right)
        let amplitude = pow(10, Double(level) / 20)
        // After the ramp it is the sine itself, sample by sample, to the end.
        let worst = (480..<95_000).reduce(0.0) { worst, index in
            let wanted = amplitude * sin(2 * .pi * Double(frequency) * Double(index) / 48_000)
            return max(worst, abs(Double(left[index]) - wanted))
        }
        #expect(worst < amplitude * 1e-5, "\(worst)")
        #expect(!generator.isSounding && left.last.map { abs($0) < 0.01 } == true)
    }

    /// Beginning, end, an end on demand and another tone are all ramps of 10 ms.
    @Test func nothingClicks() {
        let tone = TestTone(frequency: 440, level: -6, seconds: 1)
        var generator = ToneGenerator()
        generator.set(tone)
        var (samples, _) = play(&generator, frames: 60_000)
        #expect(!generator.isSounding && samples[48_000...].allSatisfy { $0 == 0 })
        #expect(samples[0] == 0 && abs(samples[1]) < 0.001)
        generator.set(tone)
        samples += play(&generator, frames: 10_007).left
        generator.set(nil)
        let ending = play(&generator, frames: 1_000).left
        samples += ending
        #expect(!generator.isSounding && ending[480...].allSatisfy { $0 == 0 })
        #expect(ending[..<200].contains { abs($0) > 0.1 })
        generator.set(tone)
        samples += play(&generator, frames: 9_001).left
        generator.set(TestTone(frequency: 330, level: -6, seconds: 1))
        samples += play(&generator, frames: 4_800).left
        #expect(generator.isSounding)
        #expect(roughness(samples, tone) < 1.05, "\(roughness(samples, tone))")
    }

    @Test func channelsAreKeptApart() {
        for (channel, hasLeft, hasRight) in [(TestTone.Channel.left, true, false), (.right, false, true)] {
            var generator = ToneGenerator()
            generator.set(TestTone(channel: channel, seconds: 1))
            let (left, right) = play(&generator, frames: 4_800)
            #expect(left.contains { $0 != 0 } == hasLeft && right.contains { $0 != 0 } == hasRight)
        }
    }

    /// A second each, and no click where they change.
    @Test func eachChannelInTurn() {
        let tone = TestTone(frequency: 997, channel: .each, seconds: 4)
        var generator = ToneGenerator()
        generator.set(tone)
        let (left, right) = play(&generator, frames: 4 * 48_000)
        func isHeard(_ samples: [Float], _ second: Double) -> Bool {
            let start = Int(second * 48_000)
            return samples[start..<start + 480].contains { abs($0) > 0.05 }
        }
        #expect([0.5, 1.5, 2.5, 3.5].map { isHeard(left, $0) } == [true, false, true, false])
        #expect([0.5, 1.5, 2.5, 3.5].map { isHeard(right, $0) } == [false, true, false, true])
        #expect(roughness(left, tone) < 1.05 && roughness(right, tone) < 1.05)
    }

    /// It is added to what plays, and goes through volume and muting of the mix.
    @Test func volumeAndMuteConcernTheTone() {
        let run = MixRun()
        run.mix.perform(.setTone(TestTone(level: -20, seconds: 60)))
        run.run(periods: 50)
        #expect(abs(run.mix.counters.peakCentidecibels + 2_000) < 10)
        #expect(abs(run.mix.counters.rmsCentidecibels + 2_301) < 10)
        run.listener.restart()
        run.run(periods: 100)
        #expect(abs(run.listener.measuredFrequency - 1_000) < 0.1 && run.listener.roughness < 0.001)
        run.mix.perform(.setVolume(50, session: nil))
        run.run(periods: 50)
        #expect(abs(run.mix.counters.peakCentidecibels + 2_602) < 10)
        run.mix.perform(.setMuted(true, session: nil))
        run.run(periods: 50)
        #expect(run.mix.counters.peakCentidecibels == Int64(SoundLevel.silence))
        #expect(run.listener.roughness < 0.005)
    }

    @Test func limitsAreKept() {
        let tone = TestTone(frequency: 99_999, level: 7, seconds: -1)
        #expect(tone == TestTone(frequency: 20_000, level: 0, seconds: 0))
        var generator = ToneGenerator()
        generator.set(tone)
        #expect(play(&generator, frames: 100).left.allSatisfy { $0 == 0 } && !generator.isSounding)
    }
}
