// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Measuring
import Testing

extension Interop {
    /// A programme with pictures and three languages, each a tone of its own: what is chosen is what is heard (G-36).
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct LanguageTests {
        /// By ISO 639-2; multiples of the width of a step of `ToneAnalysis`, and far apart.
        private static let tones = [("eng", 600), ("deu", 2_000), ("fra", 4_000)]

        private static func makeFilm(in venue: TestVenue) async throws -> String {
            let sources: [String] = tones.flatMap { tone in
                ["-f", "lavfi", "-i", "sine=frequency=\(tone.1):sample_rate=48000,volume=2.5"]
            }
            let maps: [String] = (0...tones.count).flatMap { ["-map", "\($0)"] }
            let names: [String] = tones.enumerated().flatMap { index, tone in
                ["-metadata:s:a:\(index)", "language=\(tone.0)"]
            }
            let picture = ["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=25"]
            let pictureCoding = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25"]
            let coding = pictureCoding + ["-c:a", "mp2", "-b:a", "128k", "-ac", "2"]
            return try await venue.film("tongues", picture + sources + maps + names + coding + ["-t", "60"])
        }

        /// - Returns: the one language that the last half second is in; nil: none, or more than one.
        private static func language(heardIn path: String) throws -> String? {
            let recording = try WAVRecording(path)
            guard recording.seconds > 0.5 else { return nil }
            let heard = tones.filter {
                ToneAnalysis(recording.last(0.5), nominal: Double($0.1)).amplitude > 0.1
            }
            return heard.count == 1 ? heard[0].0 : nil
        }

        @Test func whatIsChosenIsHeard() async throws {
            try await TestVenue.open { venue in
                // Over RTP ffmpeg leaves the languages out.
                let (target, heard) = (StreamTarget(encapsulation: .raw), venue.directory.file("heard.wav"))
                let film = try await Self.makeFilm(in: venue)
                try venue.start(StreamTarget.paced([film]) + target.output(), name: "ffmpeg")
                let box = try await BoxProcess(
                    [
                        "channels": [target.json], "playback": ["audioLanguage": "deu"],
                        "output": ["width": 128, "height": 72], "sound": ["kind": "wav", "wavPath": .string(heard)],
                    ], in: venue)
                try await box.tune("One")
                var checks = 0
                func hears(_ language: String, _ why: Comment) async throws {
                    let isHeard = try await eventually(within: .seconds(10)) {
                        try Self.language(heardIn: heard) == language
                    }
                    let streams = try await box.answer("streams")["streams"]?.array ?? []
                    let played = streams.filter { $0["isPlayed"] == true }.compactMap { $0["language"]?.string }
                    #expect(isHeard && played == [language], "\(why): \(played)")
                    checks += 2
                }
                try await hears("deu", "by the settings")
                let socket = try ControlSocket(box.socket)
                let opened = try socket.ask("position").result["session"]
                _ = try socket.ask("audio", ["language": "fra"])
                try await hears("fra", "by a command, while it plays")
                _ = try socket.ask("audio", ["language": "swe"])
                try await hears("eng", "the first, where the one that is asked for is not sent")
                _ = try socket.ask("audio", ["language": "deu"])
                try await hears("deu", "there and back")
                _ = try socket.ask("audio", ["language": "default"])
                try await hears("eng", "the first")
                // Changing the language touches neither the session nor the pictures.
                let session = try socket.ask("position").result["session"]
                #expect(session == opened && session?.integer != nil)
                let rests = try await box.counters(
                    "/playback/damagedFrames", "/playback/decodeErrors", "/sound/decodeErrors")
                #expect(rests.allSatisfy { $0 == 0 }, "\(rests)")
                try Peer.ffmpeg.log(test: "languages", checks: checks + 2)
            }
        }
    }
}
