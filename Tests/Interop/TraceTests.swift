// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Golden traces end to end: every event of a session, in the reference's order, from a box that really plays.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct TraceTests {
        private func start(_ name: String) -> [String] {
            [
                "open \(name)", "buffering \(name)", "session.ready", "not buffering \(name)", "play \(name)",
                "session.play",
            ]
        }

        private func end(_ name: String) -> [String] { ["stop \(name)", "session.terminate", "close \(name)"] }

        @Test func channels() async throws {
            try await TestVenue.open { venue in
                let (one, two) = (StreamTarget(), StreamTarget(name: "Two", encapsulation: .raw))
                let video = try await CountedVideo.make(.h264, seconds: 9, in: venue)
                let tone = try await SoundCoding.aac.makeTone(seconds: 9, in: venue)
                for target in [one, two] {
                    try venue.start(StreamTarget.paced([video.path, tone]) + target.output(), name: target.name)
                }
                let box = try await BoxProcess(["channels": [one.json, two.json]], in: venue)
                let socket = try ControlSocket(box.socket)
                var trace = try EventTrace(socket)

                try await box.tune("One")
                #expect(try await trace.upTo("session.play") == start("One"))
                try await box.tune("One")
                #expect(try trace.new() == [], "the same channel again")

                _ = try await eventually(within: .seconds(5)) {
                    try (socket.ask("position").result["availableMs"]?.integer ?? 0) > 2_500
                }
                _ = try socket.ask("rewind", ["ms": 2_000])
                #expect(try trace.new() == ["rewind One"])
                _ = try socket.ask("live")
                #expect(try trace.new() == ["live One"])
                _ = try socket.ask("live")
                #expect(try trace.new() == [], "live already")
                for _ in 0..<2 { _ = try socket.ask("pause") }
                #expect(try trace.new() == ["session.pause"])
                for _ in 0..<2 { _ = try socket.ask("play") }
                #expect(try trace.new() == ["rewind One", "session.play"], "live went on meanwhile")

                try await box.tune("Two")
                #expect(try await trace.upTo("session.play") == end("One") + start("Two"))
                for _ in 0..<2 { _ = try socket.ask("stop") }
                #expect(try trace.new() == end("Two"))
                try Peer.ffmpeg.log(test: "traces", checks: 9)
            }
        }

        /// Number of the first picture of the channel that goes; the other channel's are smaller.
        private static let first = 8_192

        /// SVM-87, 88: by what the settings say, and never black.
        @Test(arguments: ["slate", "hold", "defaultChannel"]) func channelThatGoes(fallback: String) async throws {
            try await TestVenue.open { venue in
                let (announcements, cast) = (Group(), Group())
                let other = StreamTarget(name: "Two")
                let video = try await CountedVideo.make(.h264, seconds: 9, in: venue)
                try venue.start(StreamTarget.paced([video.path]) + other.output(), name: "Two")
                let film = try await CountedVideo.make(seconds: 20, from: Self.first, in: venue)
                let headEnd = try venue.headEnd([
                    "streamer": ["id": "goes"], "license": BoxProcess.license,
                    "announcements": ["groups": [announcements.json], "intervalMs": 1_000],
                    "network": ["interface": "lo", "hops": 1],
                    "channels": [
                        cast.json.merging(patch: [
                            "number": 1, "name": "One", "kind": "file", "file": .string(film.path),
                        ])
                    ],
                ])
                let box = try await BoxProcess(
                    [
                        "channels": [other.json], "announcements": ["groups": [announcements.json]],
                        "playback": ["fallback": .string(fallback), "defaultChannel": "Two"],
                    ], in: venue)
                try await box.awaitChannel("One")
                var trace = try EventTrace(try ControlSocket(box.socket))
                try await box.tune("One")
                _ = try await trace.upTo("session.play")
                let before = try await Screenshots([try await box.screenshot("before.png")], in: venue)
                let seen = try #require(before.numbers[0])
                #expect(seen >= Self.first)
                let slates = try await box.counter("/stage/slatesShown")
                headEnd.signal(SIGTERM)
                let goes = ["invalid One"] + end("One")
                if fallback == "defaultChannel" {
                    #expect(try await trace.upTo("session.play") == goes + start("Two"))
                } else {
                    #expect(try await trace.upTo("close One") == goes)
                }
                var paths: [String] = []
                for name in ["after.png", "later.png"] { paths.append(try await box.screenshot(name)) }
                let shots = try await Screenshots(paths, in: venue)
                let shown = shots.numbers.compactMap { $0 }
                try #require(shown.count == 2, "\(shots.numbers)")
                switch fallback {
                case "defaultChannel": #expect(shown.allSatisfy { $0 > 0 && $0 < Self.first }, "\(shown)")
                case "slate":
                    #expect(shown == [0, 0], "dark where a picture has its number")
                    let isTold = try await eventually(within: .seconds(5)) {
                        try await box.counter("/stage/slatesShown") > slates
                    }
                    #expect(isTold)
                default:
                    // The channel's last picture came after the one that was seen, in a film that is repeated.
                    let later = (shown[0] - seen + film.frameCount) % film.frameCount
                    #expect(shown[0] >= Self.first && shown[1] == shown[0] && later < 250, "\(seen) \(shown)")
                    #expect(try await box.counter("/stage/slatesShown") == slates)
                }
                #expect(!shots.isBlack(0) && !shots.isBlack(1))
            }
        }

        /// PLAY-05…16, 21: files of three kinds with one missing among them.
        @Test func queueOfFiles() async throws {
            try await TestVenue.open { venue in
                let files: [(PictureCoding, SoundCoding, String)] = [
                    (.h264, .aac, "a.mp4"), (.hevc, .opus, "b.mkv"), (.mpeg2, .mp2, "c.ts"),
                ]
                var (items, videos): ([JSONValue], [CountedVideo]) = ([], [])
                for (pictures, sound, name) in files {
                    let video = try await CountedVideo.make(pictures, seconds: 3, in: venue)
                    let path = venue.directory.file(name)
                    try await venue.succeed(
                        CountedVideo.ffmpeg + [
                            "-i", video.path, "-i", try await sound.makeTone(seconds: 3, in: venue), "-c", "copy", path,
                        ])
                    videos.append(video)
                    items.append(["file": .string(path), "title": .string(name)])
                }
                items.insert(["file": .string(venue.directory.file("gone.mp4")), "title": "gone"], at: 1)
                let box = try await BoxProcess(
                    [
                        "playback": ["autoAdvance": true, "autoPlay": true],
                        "playlists": [["name": "Evening", "items": .array(items)]],
                    ], in: venue)
                var trace = try EventTrace(try ControlSocket(box.socket))
                _ = try await box.answer("playlist", "Evening")
                var (lines, shots): ([String], [String]) = ([], [])
                for (_, _, name) in files {
                    lines += try await trace.upTo("play \(name)")
                    try await Task.sleep(for: .milliseconds(700))
                    shots.append(try await box.screenshot("\(name).png"))
                }
                lines += try await trace.upTo("close c.ts")
                let gone = ["open gone", "buffering gone", "session.fail", "not buffering gone"] + end("gone")
                let played: [[String]] = files.map { start($0.2) + ["session.end"] + end($0.2) }
                let expected: [String] = [played[0], gone, played[1], played[2]].flatMap { $0 }
                #expect(lines == expected, "\(lines)")
                for (video, shot) in zip(videos, shots) {
                    let shots = try await Screenshots([shot], in: venue)
                    let likeness = try await shots.likeness(to: video)
                    #expect((likeness.values.first ?? 0) >= 0.98, "\(shots.numbers) \(likeness)")
                }
                // The first of each also ahead of its time.
                let shown = try await box.counters("/stage/picturesPresented", "/stage/picturesLate")
                let pictures = videos.map(\.frameCount).reduce(0, +) + videos.count
                #expect(shown.reduce(0, +) == Int64(pictures), "\(shown)")
                #expect(try await box.answer("status")["isOpen"] == false)
                try Peer.ffmpeg.log(test: "queue", checks: 4)
            }
        }
    }
}
