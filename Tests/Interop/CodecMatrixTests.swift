// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Every codec of pictures with every codec of sound: seen as ffmpeg decodes it, heard as it was sent.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct CodecMatrixTests {
        private static let seconds = 13

        private struct Play {
            let video: CountedVideo
            let box: BoxProcess
            let soundPath: String
            var shots: [String] = []
        }

        /// Three boxes side by side, one for each codec of pictures.
        @Test(arguments: SoundCoding.allCases) func withPicturesOfEachCodec(sound: SoundCoding) async throws {
            try await TestVenue.open { venue in
                let tone = try await sound.makeTone(seconds: Self.seconds, in: venue)
                // All of them before the first is sent, which else ends before it is heard.
                var videos: [CountedVideo] = []
                for coding in PictureCoding.allCases {
                    videos.append(try await CountedVideo.make(coding, seconds: Self.seconds, in: venue))
                }
                var plays: [Play] = []
                for (coding, video) in zip(PictureCoding.allCases, videos) {
                    // MPEG-2 video with MPEG sound is what bare UDP still carries.
                    let isRaw = coding == .mpeg2 && sound == .mp2
                    let target = StreamTarget(encapsulation: isRaw ? .raw : .rtp)
                    let soundPath = venue.directory.file("\(coding).wav")
                    let box = try await BoxProcess(
                        [
                            "channels": [target.json], "sound": ["kind": "wav", "wavPath": .string(soundPath)],
                            "playback": ["autoTune": "One"],
                        ], in: venue)
                    plays.append(Play(video: video, box: box, soundPath: soundPath))
                    try venue.start(
                        StreamTarget.paced([video.path, tone]) + target.output(flags: sound.flags, kilobits: 5_000),
                        name: "ffmpeg-\(coding)")
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
                for (coding, (play, recording)) in zip(PictureCoding.allCases, zip(plays, heard)) {
                    try await check(play, recording, pair: "\(coding) with \(sound)", in: venue)
                }
            }
        }

        private static func tone(_ heard: WAVRecording) -> ToneAnalysis {
            ToneAnalysis(heard, nominal: Double(SoundCoding.hertz))
        }

        private static func isInTune(_ tone: ToneAnalysis) -> Bool {
            abs(tone.frequency - Double(SoundCoding.hertz)) < 1
        }

        private func check(_ play: Play, _ heard: WAVRecording, pair: String, in venue: TestVenue) async throws {
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
