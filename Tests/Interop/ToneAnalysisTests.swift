// SPDX-License-Identifier: Apache-2.0
import Foundation
import Measuring
import TestSupport
import Testing

/// The measure itself is measured: on made tones whose faults are known.
struct ToneAnalysisTests {
    private static let rate = 48_000.0

    /// - Parameter noise: amplitude of white noise in that of the tone.
    private func tone(_ frequency: Double, seconds: Double = 2, noise: Double = 0.01) -> [Float] {
        var random = SplitMix64(seed: 1)
        return (0..<Int(seconds * Self.rate)).map { index in
            let wave = sin(2 * .pi * frequency * Double(index) / Self.rate)
            return Float(0.25 * (wave + noise * Double.random(in: -1...1, using: &random)))
        }
    }

    private func analysis(_ samples: [Float]) -> ToneAnalysis {
        ToneAnalysis(WAVRecording(samples: samples), nominal: 1_018)
    }

    @Test(arguments: [970.0, 1_003.7, 1_018, 1_018.4, 1_024.9, 1_060])
    func frequency(of hertz: Double) {
        let found = analysis(tone(hertz))
        #expect(abs(found.frequency - hertz) < 0.05, "\(found.frequency)")
        #expect(abs(found.amplitude - 0.25) < 0.02)
        #expect(found.clicks.isEmpty && found.gaps.isEmpty, "\(found)")
    }

    @Test func slowChangeIsNoClick() {
        // As resampling does it: within half a second to 0.5 % more.
        var phase = 0.0
        let step: Double = 2 * Double.pi * 1_018 / Self.rate
        let samples = (0..<96_000).map { (index: Int) -> Float in
            let stretch: Double = min(1, Double(index) / 24_000)
            phase += step * (1 + 0.005 * stretch)
            return Float(0.25 * sin(phase))
        }
        #expect(analysis(samples).clicks.isEmpty)
    }

    @Test(arguments: [3, 7, 24, 200, 1_000])
    func missingSamples(count: Int) {
        var samples = tone(1_018)
        samples.removeSubrange(40_000..<40_000 + count)
        let found = analysis(samples)
        #expect(found.clicks.count == 1 && found.gaps.isEmpty, "\(found)")
        #expect(abs((found.clicks.first ?? 0) - 40_000 / Self.rate) < 0.02)
        #expect(abs(found.frequency - 1_018) < 0.2)
    }

    @Test func repeatedSamplesAndSpikes() {
        var samples = tone(1_018)
        samples.insert(contentsOf: samples[30_000..<30_100], at: 30_100)
        samples[60_000] += 0.1
        #expect(analysis(samples).clicks.count == 2)
    }

    /// A jump hidden by a cross-fade is found by its phase.
    @Test func softJump() {
        let tone = tone(1_018, noise: 0)
        let samples = (0..<80_000).map { index -> Float in
            let later = max(0, min(1, Float(index - 40_000) / 480))
            return tone[index] * (1 - later) + tone[index + 20] * later
        }
        #expect(analysis(samples).clicks.count == 1)
    }

    @Test func gaps() {
        var samples = tone(1_018)
        for index in 48_000..<52_800 { samples[index] = 0 }
        let found = analysis(samples)
        #expect(found.gaps.count == 1 && found.gaps[0].overlaps(1.02..<1.08), "\(found)")
        #expect(abs(found.frequency - 1_018) < 0.05)
        let silence = analysis([Float](repeating: 0, count: 48_000))
        #expect(silence.frequency == 0 && silence.gaps.count == 1)
    }

    @Test func beepsBegin() {
        let samples = tone(1_000, seconds: 5, noise: 0).enumerated().map { index, sample in
            index % 48_000 > 12_000 && index % 48_000 < 16_800 ? sample : 0
        }
        let onsets = Beeps.onsets(WAVRecording(samples: samples))
        #expect(onsets.count == 5)
        for (second, onset) in onsets.enumerated() { #expect(abs(onset - Double(second) - 0.25) < 0.001) }
        #expect(Beeps.onsets(WAVRecording(samples: [Float](repeating: 0, count: 48_000))).isEmpty)
    }

    /// What coding alone does to the tone is neither a click nor another frequency.
    @Test(.enabled(if: Peer.ffmpeg.isThere), arguments: SoundCoding.allCases)
    func codedTone(coding: SoundCoding) async throws {
        try await TestVenue.open { venue in
            let path = venue.directory.file("tone.wav")
            try await venue.succeed(
                CountedVideo.ffmpeg + ["-i", try await coding.makeTone(seconds: 4, in: venue), "-ac", "2", path])
            let found = ToneAnalysis(try WAVRecording(path).part(0.5..<3.5), nominal: Double(SoundCoding.hertz))
            #expect(abs(found.frequency - Double(SoundCoding.hertz)) < 0.05, "\(found)")
            #expect(found.amplitude > 0.2 && found.clicks.isEmpty && found.gaps.isEmpty, "\(found)")
        }
    }

    @Test func waveFile() throws {
        var file = [UInt8]("RIFF".utf8)
        file += [0, 0, 0, 0]
        file += [UInt8]("WAVEfmt ".utf8)
        file += [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xbb, 0, 0, 0, 0, 0, 0, 4, 0, 16, 0]
        file += [UInt8]("data".utf8)
        file += [0, 0, 0, 0]
        file += [0, 0x40, 0, 0, 0, 0xc0, 0, 0, 1]
        let recording = try WAVRecording(file, channel: 0)
        #expect(recording.sampleRate == 48_000 && recording.samples == [0.5, -0.5])
        #expect(throws: WAVRecording.Fault.self) { try WAVRecording([1, 2, 3]) }
    }
}
