// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@testable import Resampling

@Suite struct AudioResamplerTests {
    /// Interleaved: the same tone on every channel.
    private func tone(_ frames: Range<Int>, rate: Int, channels: Int, frequency: Double = 1_000) -> [Float] {
        let step = 2 * .pi * frequency / Double(rate)
        return [Float](unsafeUninitializedCapacity: frames.count * channels) { samples, count in
            for frame in frames {
                let sample = Float(0.5 * sin(step * Double(frame)))
                for _ in 0..<channels {
                    samples[count] = sample
                    count += 1
                }
            }
        }
    }

    /// Feeds blocks of `size` frames and returns the left channel of all that comes out.
    private func left(
        _ resampler: AudioResampler, _ frames: Int, size: Int = 1_024, corrections: [Int] = [0]
    ) throws -> [Float] {
        var out: [Float] = []
        for (index, start) in stride(from: 0, to: frames, by: size).enumerated() {
            resampler.correction = corrections[index % corrections.count]
            let block = tone(
                start..<start + size, rate: resampler.format.sampleRate, channels: resampler.format.channels)
            let converted = try block.withUnsafeBufferPointer { Array(try resampler.convert($0)) }
            out += stride(from: 0, to: converted.count, by: 2).map { converted[$0] }
        }
        return out
    }

    /// Largest deviation from what follows from the two samples before in a tone of 1 kHz.
    private func roughness(_ samples: ArraySlice<Float>, rate: Int = 48_000) -> Float {
        let factor = Float(2 * cos(2 * .pi * 1_000 / Double(rate)))
        return zip(samples, zip(samples.dropFirst(), samples.dropFirst(2)))
            .map { ($0 - factor * $1.0 + $1.1).magnitude }.max() ?? 0
    }

    static let rates =
        Effort.isEmulated ? [22_050, 48_000] : [8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000]

    @Test(arguments: rates, [1, 2, 6])
    func aToneComesOutAtItsTime(rate: Int, channels: Int) throws {
        let resampler = try AudioResampler(from: SourceFormat(sampleRate: rate, channels: channels))
        let frames = rate / 1_024 * 1_024
        let out = try left(resampler, frames)
        let inside = resampler.delay
        let seconds = Double(frames) / Double(rate) - Double(inside.count) / 1e9
        #expect(abs(Double(out.count) / 48_000 - seconds) < 1.1 / 48_000)
        #expect(roughness(out[2_000...]) < 1e-3)
        // All channels in phase: 5.1 sums to the same level as stereo.
        let step = 2 * Double.pi * 1_000 / 48_000
        let expected = out.indices.map { index -> Float in Float(0.5 * sin(step * Double(index))) }
        let deviation = zip(out, expected).dropFirst(2_000).map { ($0 - $1).magnitude }.max() ?? 1
        #expect(deviation < 2e-3, "phase and level")
    }

    @Test(arguments: [-5_000_000, -100_000, -1_000, 1_000, 100_000, 5_000_000])
    func aCorrectionMakesAsManyMoreFrames(parts: Int) throws {
        let resampler = try AudioResampler(from: .stereo48k)
        let frames = 1_024 * (Effort.isEmulated ? 50 : 250)
        let out = try left(resampler, frames, corrections: [parts])
        let inside = Double(resampler.delay.count) / 1e9 * 48_000
        let expected = (Double(frames) - inside) / (1 - Double(parts) / 1e9)
        #expect(abs(Double(out.count) - expected) < 2.5)
        #expect(roughness(out[2_000...]) < 1e-3)
    }

    /// What lies beside the tone itself, by the least squares of its two parts.
    @Test(arguments: [(1_000, -90), (10_000, -70)])
    func littleIsAddedToATone(frequency: Int, decibels: Double) throws {
        let resampler = try AudioResampler(from: SourceFormat(sampleRate: 44_100, channels: 2))
        let block = tone(0..<44_100, rate: 44_100, channels: 2, frequency: Double(frequency))
        let converted = try block.withUnsafeBufferPointer { Array(try resampler.convert($0)) }
        let samples = stride(from: 4_000, to: 4_000 + 2 * 24_000, by: 2).map { Double(converted[$0]) }
        let step = 2 * Double.pi * Double(frequency) / 48_000
        let (sines, cosines) = (
            samples.indices.map { sin(step * Double($0)) }, samples.indices.map { cos(step * Double($0)) }
        )
        // Over whole periods both parts have the power 1/2 and are independent of each other.
        let half = Double(samples.count) / 2
        let sine = zip(samples, sines).map { $0 * $1 }.reduce(0, +) / half
        let cosine = zip(samples, cosines).map { $0 * $1 }.reduce(0, +) / half
        let rest = samples.indices.map { samples[$0] - sine * sines[$0] - cosine * cosines[$0] }
        let power = rest.map { $0 * $0 }.reduce(0, +) / half
        #expect(10 * log10(power / (sine * sine + cosine * cosine)) < decibels)
    }

    @Test func changesOfTheCorrectionAreNotHeard() throws {
        let resampler = try AudioResampler(from: SourceFormat(sampleRate: 44_100, channels: 2))
        let out = try left(resampler, 44_100 * 5, corrections: [0, 5_000_000, -5_000_000, 1, -3_000_000, 0, 0])
        #expect(roughness(out[2_000...]) < 1e-3)
    }

    @Test func delayIsExactBetweenBlocks() throws {
        let resampler = try AudioResampler(from: SourceFormat(sampleRate: 44_100, channels: 1))
        var (given, got) = (0, 0)
        for size in [64, 1_024, 17, 2_000, 1, 333, 4_096] {
            let block = tone(given..<given + size, rate: 44_100, channels: 1)
            got += try block.withUnsafeBufferPointer { try resampler.convert($0).count / 2 }
            given += size
            let next = Double(given) / 44_100 - Double(resampler.delay.count) / 1e9
            #expect(abs(next - Double(got) / 48_000) < 1e-7)
        }
    }

    @Test func aResetBeginsAnew() throws {
        let resampler = try AudioResampler(from: SourceFormat(sampleRate: 44_100, channels: 2))
        resampler.correction = 4_000
        let first = try left(resampler, 10_240)
        try resampler.reset()
        #expect(resampler.delay == .zero)
        #expect(try left(resampler, 10_240) == first)
    }

    @Test(arguments: [
        SourceFormat(sampleRate: 7_999, channels: 2), SourceFormat(sampleRate: 192_001, channels: 2),
        SourceFormat(sampleRate: 48_000, channels: 0), SourceFormat(sampleRate: 48_000, channels: 9),
        SourceFormat(sampleRate: 48_000, channels: 16),
    ])
    func whatNobodyPlaysIsRefused(format: SourceFormat) {
        #expect(thrown(ResamplingError.self) { _ = try AudioResampler(from: format) } == .unsupported(format))
    }

    @Test func anEmptyBlockGivesNothing() throws {
        let resampler = try AudioResampler(from: .stereo48k)
        #expect(try resampler.convert(UnsafeBufferPointer(start: nil, count: 0)).isEmpty)
    }
}
