// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// PLAY-44: `probe` of the box beside ffprobe, of files, of documents of a server, and of what ffmpeg sends.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.hasNamespaces)) struct ProbeTests {
        /// What ffmpeg makes, and whether the box plays it.
        private static let files: [(name: String, codecs: [String], isPlayable: Bool, why: String)] = [
            ("film.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"], true, "The box plays it."),
            ("film.ts", ["-c:v", "mpeg2video", "-c:a", "mp2"], true, "The box plays it."),
            ("film.mkv", ["-c:v", "libx265", "-preset", "ultrafast", "-c:a", "ac3"], true, "The box plays it."),
            ("sound.mp3", ["-vn", "-c:a", "libmp3lame"], true, "The box plays it."),
            (
                "film.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-an"], false,
                "The box plays none of its codecs: vp9."
            ),
            ("film.avi", ["-c:v", "mpeg4", "-an"], false, "The box reads no files of the kind avi"),
        ]

        private static func make(
            _ file: (name: String, codecs: [String], isPlayable: Bool, why: String), in venue: TestVenue
        )
            async throws -> String
        {
            let path = venue.directory.path + "/" + file.name
            let input = [
                "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=sample_rate=48000",
            ]
            try await venue.succeed(["ffmpeg", "-v", "error", "-y"] + input + ["-t", "2"] + file.codecs + [path])
            return path
        }

        private static func streams(_ answer: JSONValue) -> [String] {
            (answer["streams"]?.array ?? []).map { stream in
                let size =
                    stream["kind"] == "video"
                    ? ",\(stream["width"]?.integer ?? 0),\(stream["height"]?.integer ?? 0)" : ""
                return (stream["codec"]?.string ?? "") + size
            }
        }

        @Test func filesAreWhatFFprobeSays() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let box = try await BoxProcess(["http": ["isEnabled": false]], in: venue)
                let socket = try ControlSocket(box.socket)
                for file in Self.files {
                    let path = try await Self.make(file, in: venue)
                    let answer = try socket.ask("probe", ["what": .string(path)]).result
                    #expect(answer["isPlayable"] == .bool(file.isPlayable), "\(file.name): \(answer.text())")
                    #expect(answer["conclusion"]?.string?.hasPrefix(file.why) == true, "\(file.name): \(answer.text())")
                    guard answer["streams"] != [] else { continue }
                    for stream in answer["streams"]?.array ?? [] {
                        let isPlayedVideo = stream["kind"] == "video" && stream["isCarried"] == true
                        #expect((stream["decoder"]?.string != nil) == isPlayedVideo, "\(file.name): \(stream.text())")
                    }
                    let peer = try await venue.succeed([
                        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
                        path,
                    ])
                    // ffprobe lists the streams of a transport stream's programs as well.
                    var lines: [String] = []
                    for line in peer.outputText.split(separator: "\n") {
                        let line = String(line.reversed().drop { $0 == "," }.reversed())
                        if !lines.contains(line) { lines.append(line) }
                    }
                    #expect(Self.streams(answer) == lines, "\(file.name)")
                    let length = answer["durationMs"]?.integer ?? 0
                    #expect((1_800...2_400).contains(length), "\(file.name): \(length)")
                }
            }
        }

        /// Of a document the first part is fetched, and of a group three seconds are heard.
        @Test(.enabled(if: Peer.python3.isThere)) func documentsAndGroups() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let box = try await BoxProcess(["http": ["isEnabled": false]], in: venue)
                let socket = try ControlSocket(box.socket)
                _ = try await Self.make(Self.files[1], in: venue)
                try venue.start(
                    [
                        "python3", "-m", "http.server", "8099", "--bind", "127.0.0.1", "--directory",
                        venue.directory.path,
                    ],
                    name: "server")
                let url = "http://127.0.0.1:8099/film.ts"
                var answer = JSONValue.null
                _ = try await eventually(within: .seconds(10)) {
                    answer = (try? socket.ask("probe", ["what": .string(url)]).result) ?? .null
                    return answer["container"] != nil
                }
                #expect(Self.streams(answer) == ["mpeg2video,320,180", "mp2"], "\(answer.text())")
                #expect(answer["conclusion"]?.string?.hasPrefix("Nothing is played from URLs") == true)
                do {
                    _ = try socket.ask("probe", ["what": .string("http://127.0.0.1:8099/none.ts")])
                    Issue.record("a document that is not there")
                } catch {
                    #expect("\(error)".contains("the server says 404"))
                }

                let input = ["-re", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25"]
                for (scheme, format, place) in [
                    ("udp", "mpegts", "udp://239.7.7.7:5000"), ("rtp", "rtp_mpegts", "rtp://239.7.7.8:5004"),
                ] {
                    try venue.start(
                        ["ffmpeg", "-v", "error"] + input + ["-c:v", "mpeg2video", "-g", "10", "-f", format, place],
                        name: scheme)
                    let heard = try socket.ask("probe", ["what": .string(place)]).result
                    #expect(
                        heard["isPlayable"] == true && Self.streams(heard) == ["mpeg2video,320,180"], "\(heard.text())")
                    #expect(heard["container"]?.string?.hasPrefix("mpegts") == true)
                }
            }
        }
    }
}
