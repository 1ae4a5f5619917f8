// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What there is to say of a recording that should be one pure tone without end. Coding noise some 30 dB below the tone
/// is borne; times are seconds from the first sample.
public struct ToneAnalysis: Sendable {
    /// Hertz, to better than a tenth.
    public let frequency: Double
    /// Of the tone where it sounds.
    public let amplitude: Double
    /// Where the wave breaks: samples that do not continue it, and phases that jump.
    public let clicks: [Double]
    /// Where the tone is away: nothing, or hardly anything.
    public let gaps: [Range<Double>]

    /// The tone's frequency in steps of 5 ms may change by so much at most: three times what following a clock may do.
    private static let largestSlip = 0.015
    private static let step = 0.005

    /// - Parameter nominal: Hertz; found when it is within a twentieth of it.
    public init(_ recording: WAVRecording, nominal: Double) {
        let rate = Double(recording.sampleRate)
        let blocks = Self.blocks(recording, nominal: nominal)
        let loudest = Self.median(blocks.map(\.amplitude).sorted().suffix(max(1, blocks.count / 2)))
        let sounds = blocks.map { $0.amplitude > loudest * 0.25 && loudest > 0.001 }
        amplitude = loudest
        gaps = Self.runs(sounds.map { !$0 }).map {
            Double($0.lowerBound) * Self.step..<Double($0.upperBound) * Self.step
        }

        // How far the phase goes on from block to block beyond what the nominal frequency makes of it.
        let turns = zip(blocks, blocks.dropFirst()).map { Self.wrapped($1.phase - $0.phase) }
        let steady = turns.indices.filter { sounds[$0] && sounds[$0 + 1] }
        let usual = Self.median(steady.map { turns[$0] })
        let kept = steady.filter { abs(turns[$0] - usual) < 0.2 }.map { turns[$0] }
        let turn = kept.isEmpty ? 0 : kept.reduce(0, +) / Double(kept.count)
        frequency = loudest > 0.001 ? nominal + turn / (2 * .pi * Self.step) : 0

        let allowed = Self.largestSlip * 2 * .pi * nominal * Self.step
        // A block on the border of a gap holds part of the tone: its phase says little.
        let slips = steady.filter { index in
            abs(Self.wrapped(turns[index] - usual)) > allowed
                && (max(0, index - 1)...min(sounds.count - 1, index + 2)).allSatisfy { sounds[$0] }
        }
        let breaks = Self.breaks(recording.samples, angle: 2 * .pi * frequency / rate, amplitude: loudest)
        let places = slips.map { Double($0 + 1) * Self.step } + breaks.map { Double($0) / rate }
        clicks = Self.merged(places.sorted(), within: 0.015)
    }

    private struct Block {
        let amplitude: Double
        /// Against a wave of the nominal frequency from the first sample on.
        let phase: Double
    }

    private static func blocks(_ recording: WAVRecording, nominal: Double) -> [Block] {
        let size = Int(Double(recording.sampleRate) * step)
        let angle = 2 * Double.pi * nominal / Double(recording.sampleRate)
        return stride(from: 0, to: recording.samples.count - size + 1, by: size).map { start in
            var (inPhase, quadrature, weights) = (0.0, 0.0, 0.0)
            for index in 0..<size {
                // Hann's window keeps the wave's negative frequency out.
                let weight = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(size))
                let sample = Double(recording.samples[start + index]) * weight
                inPhase += sample * cos(angle * Double(start + index))
                quadrature -= sample * sin(angle * Double(start + index))
                weights += weight
            }
            return Block(
                amplitude: 2 * (inPhase * inPhase + quadrature * quadrature).squareRoot() / weights,
                phase: atan2(quadrature, inPhase))
        }
    }

    /// Samples that do not follow from their neighbours: of a wave, x[n+1] - 2 cos(angle) x[n] + x[n-1] is nothing.
    private static func breaks(_ samples: [Float], angle: Double, amplitude: Double) -> [Int] {
        guard samples.count > 2, amplitude > 0.001 else { return [] }
        let factor = Float(2 * cos(angle))
        var residuals = [Float](repeating: 0, count: samples.count)
        for index in 1..<samples.count - 1 {
            residuals[index] = samples[index + 1] - factor * samples[index] + samples[index - 1]
        }
        let limit = Float(amplitude * 0.08)
        return residuals.indices.filter { index in
            guard abs(residuals[index]) > limit else { return false }
            // Noise of coding is alike all around; a click stands out of it.
            let around = [index - 480..<index - 24, index + 25..<index + 481].flatMap { range in
                residuals[range.clamped(to: residuals.indices)]
            }
            let power = around.reduce(0) { $0 + $1 * $1 } / Float(max(1, around.count))
            return abs(residuals[index]) > 6 * power.squareRoot()
        }
    }

    public static func wrapped(_ phase: Double) -> Double { phase - 2 * .pi * (phase / (2 * .pi)).rounded() }

    public static func median<Values: Sequence>(_ values: Values) -> Double where Values.Element == Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    public static func runs(_ flags: [Bool]) -> [Range<Int>] {
        var (runs, first): ([Range<Int>], Int?) = ([], nil)
        for (index, flag) in (flags + [false]).enumerated() {
            if flag, first == nil { first = index }
            if !flag, let start = first {
                runs.append(start..<index)
                first = nil
            }
        }
        return runs
    }

    private static func merged(_ places: [Double], within distance: Double) -> [Double] {
        places.reduce(into: []) { kept, place in
            if place - (kept.last ?? -1) > distance { kept.append(place) }
        }
    }
}

/// Where short beeps of a tone begin in what is otherwise silence.
public enum Beeps {
    /// - Returns: seconds; to about a millisecond, coding included: where half of the beep's power is reached.
    public static func onsets(_ recording: WAVRecording) -> [Double] {
        let size = recording.sampleRate / 1_000
        let powers = stride(from: 0, to: recording.samples.count - size + 1, by: size / 4).map { start in
            recording.samples[start..<start + size].reduce(0) { $0 + Double($1 * $1) } / Double(size)
        }
        let loud = powers.max() ?? 0
        guard loud > 0.000_01 else { return [] }
        var onsets: [Double] = []
        var quietSince = -1_000
        for (index, power) in powers.enumerated() where power > loud / 4 {
            // A beep's own wave dips below the limit for less than 50 ms.
            if index - quietSince > 200 {
                onsets.append((Double(index * (size / 4)) + Double(size) / 2) / Double(recording.sampleRate))
            }
            quietSince = index
        }
        return onsets
    }
}
