// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// Each codec of pictures and of sound: seen as ffmpeg decodes it, heard as it was sent.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct CodecMatrixTests {
        /// Of the films: a busy machine is waited for.
        private static let seconds = 30

        /// A codec of sound for each codec of pictures, side by side.
        struct Round: Sendable, CustomTestStringConvertible {
            let pairs: [(pictures: PictureCoding, sound: SoundCoding)]

            init(_ sounds: [SoundCoding]) { pairs = Array(zip(PictureCoding.allCases, sounds)) }

            var testDescription: String { pairs.map { "\($0.pictures) with \($0.sound)" }.joined(separator: ", ") }

            /// In two rounds each codec comes once at least; in five, every pair of them.
            static let all: [Round] =
                Interop.triesAll
                ? SoundCoding.allCases.indices.map { first in
                    Round((0..<3).map { SoundCoding.allCases[(first + $0) % SoundCoding.allCases.count] })
                } : [Round([.aac, .opus, .mp2]), Round([.ac3, .latm, .aac])]
        }

        private struct Play {
            let pair: (pictures: PictureCoding, sound: SoundCoding)
            let video: CountedVideo
            let box: BoxProcess
            let soundPath: String
            var shots: [String] = []
        }

        /// Three boxes side by side, one for each codec of pictures.
        @Test(arguments: Round.all) func withPicturesOfEachCodec(round: Round) async throws {
            try await TestVenue.open { venue in
                // All of them before the first is sent, which else ends before it is heard.
                var films: [(video: CountedVideo, tone: String)] = []
                for (pictures, sound) in round.pairs {
                    films.append(
                        (
                            try await CountedVideo.make(pictures, seconds: Self.seconds, in: venue),
                            try await sound.makeTone(seconds: Self.seconds, in: venue)
                        ))
                }
                var plays: [Play] = []
                for (pair, film) in zip(round.pairs, films) {
                    // MPEG-2 video with MPEG sound is what bare UDP still carries.
                    let isRaw = pair.pictures == .mpeg2 && pair.sound == .mp2
                    let target = StreamTarget(encapsulation: isRaw ? .raw : .rtp)
                    let soundPath = venue.directory.file("\(pair.pictures).wav")
                    let box = try await BoxProcess(
                        [
                            "channels": [target.json], "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                            "playback": ["autoTune": "One"],
                        ], in: venue)
                    plays.append(Play(pair: pair, video: film.video, box: box, soundPath: soundPath))
                    try venue.start(
                        StreamTarget.paced([film.video.path, film.tone])
                            + target.output(flags: pair.sound.flags, kilobits: 5_000),
                        name: "ffmpeg-\(pair.pictures)")
                }
                for play in plays { try await play.box.tune("One") }
                let began = ContinuousClock.now
                for index in 0..<3 {
                    try await Task.sleep(until: began + .milliseconds(700 + 1_370 * index), clock: .continuous)
                    for place in plays.indices {
                        let name = "\(place)-\(index).png"
                        plays[place].shots.append(try await plays[place].box.screenshot(name))
                    }
                }
                // Until the clock has found its place sound is played a little slower or faster.
                try await Task.sleep(until: began + .seconds(9), clock: .continuous)
                // Longer, where senders that shared a processor began unevenly.
                _ = try await eventually(within: .seconds(15)) {
                    try plays.allSatisfy { Self.isInTune(Self.tone(try WAVRecording($0.soundPath).last(3))) }
                }
                for play in plays {
                    #expect(try await play.box.counter("/sessionSound/peakCentidecibels") > -2_000)
                }
                let heard = try plays.map { try WAVRecording($0.soundPath).last(3) }
                for (play, recording) in zip(plays, heard) { try await check(play, recording, in: venue) }
            }
        }

        private static func tone(_ heard: WAVRecording) -> ToneAnalysis {
            ToneAnalysis(heard, nominal: Double(SoundCoding.hertz))
        }

        private static func isInTune(_ tone: ToneAnalysis) -> Bool {
            abs(tone.frequency - Double(SoundCoding.hertz)) < 1
        }

        private func check(_ play: Play, _ heard: WAVRecording, in venue: TestVenue) async throws {
            let pair = "\(play.pair.pictures) with \(play.pair.sound)"
            let shots = try await Screenshots(play.shots, in: venue)
            let likeness = try await shots.likeness(to: play.video)
            let worst = likeness.values.min() ?? 0
            #expect(likeness.count == play.shots.count && worst >= 0.98, "\(pair): \(shots.numbers), \(likeness)")
            let tone = Self.tone(heard)
            #expect(Self.isInTune(tone), "\(pair): \(tone.frequency) Hz")
            #expect(tone.amplitude > 0.2 && tone.clicks.isEmpty && tone.gaps.isEmpty, "\(pair): \(tone)")
            let rests = try await play.box.counters(
                "/playback/damagedFrames", "/playback/decodeErrors", "/playback/unsupportedStreams",
                "/sound/decodeErrors", "/stage/drawErrors")
            #expect(rests == [0, 0, 0, 0, 0], "\(pair)")
            print("\(pair): worst SSIM \(worst), \(tone.frequency) Hz, amplitude \(tone.amplitude)")
            try Peer.ffmpeg.log(test: "codecs", checks: likeness.count + 2)
        }
    }
}
