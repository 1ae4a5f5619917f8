// SPDX-License-Identifier: Apache-2.0
import Foundation
import Measuring
import TestSupport
import Testing

/// The measure of A/V offset, measured on made looks and files.
struct FlashPhaseTests {
    @Test(arguments: [0.0, 0.003, 0.25, 0.81, 0.999])
    func phaseIsFound(phase: Double) {
        var random = SplitMix64(seed: 7)
        var time = 1_234.567
        let looks = (0..<400).map { _ -> FlashPhase.Look in
            let asked = time
            let answered = asked + Double.random(in: 0.003...0.02, using: &random)
            let read = Double.random(in: asked...answered, using: &random)
            time = answered + Double.random(in: 0.005...0.012, using: &random)
            return FlashPhase.Look(
                asked: asked, answered: answered, isLit: FlashPhase.inSecond(read - phase) < FlashAndBeep.flash)
        }
        let found = FlashPhase(looks)
        #expect(found.contradictions == 0 && found.uncertainty < 0.01)
        #expect(abs(FlashPhase.centred(found.phase - phase)) < 0.005, "\(found)")
    }

    @Test func clockOfAFile() throws {
        var random = SplitMix64(seed: 9)
        var sightings: [(time: Double, frames: Int)] = []
        for period in 1...100 {
            let late = Double.random(in: 0...0.004, using: &random)
            sightings.append((50 + Double(period) * 0.01 + late, period * 480))
        }
        let clock = try SoundClock(sightings: sightings)
        #expect(abs(clock.start - 50 - SoundClock.lead) < 0.001)
        #expect(throws: VenueError.self) { try SoundClock(sightings: []) }
    }

    /// What ffmpeg makes flashes and beeps at once, as ffmpeg decodes it.
    @Test(.enabled(if: Peer.ffmpeg.isThere), arguments: [SoundCoding.aac, .mp2, .ac3])
    func theSourceItselfIsAligned(sound: SoundCoding) async throws {
        try await TestVenue.open { venue in
            let source = try await FlashAndBeep.make(seconds: 5, sound: sound, in: venue)
            let (wav, gray) = (venue.directory.file("beeps.wav"), venue.directory.file("flashes.gray"))
            // Both from time stamp 0 on, wherever the first of either lies.
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-copyts", "-start_at_zero", "-i", source.path, "-map", "0:a", "-af",
                    "aresample=async=1:first_pts=0",
                    wav, "-map", "0:v", "-vf", "fps=1000:start_time=0,scale=1:1:flags=area,format=gray", "-f",
                    "rawvideo",
                    gray,
                ])
            let values = FileManager.default.contents(atPath: gray) ?? Data()
            let flashes = zip(values, values.dropFirst()).enumerated().filter { $1.0 <= 127 && $1.1 > 127 }
                .map { Double($0.offset + 1) / 1_000 }
            let beeps = Beeps.onsets(try WAVRecording(wav)).filter { $0 > 0.5 }
            #expect(flashes.count >= 4 && beeps.count >= 4, "\(flashes), \(beeps)")
            for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) < 0.004, "\(flashes), \(beeps)") }
        }
    }
}
