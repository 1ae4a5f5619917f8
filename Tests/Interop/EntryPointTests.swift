// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Channels that are joined in their middle and have few entry points or none.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct EntryPointTests {
        struct Coding: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let options: [String]
            /// Seconds from the tuning to the first picture, at most.
            let limit: Double
        }

        private static let film = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-pix_fmt", "yuv420p"]
        private static let input = ["-re"] + film
        /// The headers come with each picture.
        private static let repeated = ["-flags", "+global_header", "-bsf:v", "dump_extra=freq=all"]

        /// At 25 pictures a second.
        private static let codings: [Coding] = [
            Coding(
                testDescription: "x264, refreshed in 2 s without an IDR picture",
                options: ["-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "keyint=50:intra-refresh=1"],
                limit: 4),
            Coding(
                testDescription: "x264, open groups of 1 s",
                options: [
                    "-c:v", "libx264", "-preset", "veryfast", "-x264-params", "keyint=25:open-gop=1:bframes=2",
                ], limit: 2),
            Coding(
                testDescription: "x264, one IDR picture at the start",
                options: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "100000", "-sc_threshold", "0"] + repeated,
                limit: 4),
            Coding(
                testDescription: "x265, refreshed in 2 s without an IDR picture",
                options: [
                    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                    "keyint=50:intra-refresh=1:log-level=none",
                ], limit: 4),
        ]

        /// In an RTP session of their own. The second has its parameter sets in its description alone.
        private static let elementary: [Coding] = [
            Coding(
                testDescription: "x264 in a session of its own, refreshed in 2 s without an IDR picture",
                options: ["-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "keyint=50:intra-refresh=1"],
                limit: 4),
            Coding(
                testDescription: "x264 in a session of its own, open groups of 10 s",
                options: [
                    "-c:v", "libx264", "-preset", "veryfast", "-x264-params", "keyint=250:open-gop=1:bframes=2",
                    "-flags", "+global_header",
                ], limit: 4),
        ]

        @Test(arguments: codings) func joinedInItsMiddle(coding: Coding) async throws {
            try await TestVenue.open { venue in
                try await join(coding, sending: Self.input + coding.options, in: venue)
            }
        }

        /// No coder here refreshes MPEG-2 without I pictures. This has one at its start, and its sequence header before
        /// each picture.
        @Test func mpegVideoJoinedInItsMiddle() async throws {
            try await TestVenue.open { venue in
                let coding = Coding(
                    testDescription: "MPEG-2, one I picture at the start",
                    options: ["-c:v", "mpeg2video", "-g", "600", "-sc_threshold", "1000000000", "-b:v", "2M"], limit: 4)
                let path = try await venue.film("one-intra", Self.film + ["-t", "20"] + coding.options)
                try await join(
                    coding, sending: ["-re", "-i", path, "-c", "copy", "-bsf:v", "dump_extra=freq=all"], in: venue)
            }
        }

        /// - Parameter words: of ffmpeg's command line, before its output.
        private func join(_ coding: Coding, sending words: [String], in venue: TestVenue) async throws {
            let target = StreamTarget()
            try venue.start(
                ["ffmpeg", "-nostdin", "-loglevel", "error"] + words + target.output(), name: "ffmpeg")
            let box = try await BoxProcess(["channels": [target.json]], in: venue)
            try await Task.sleep(for: .seconds(3))
            try await expectPictures(of: coding, on: box)
        }

        @Test(arguments: elementary) func joinedInItsMiddleWithoutATransportStream(coding: Coding) async throws {
            try await TestVenue.open { venue in
                let (announcements, group) = (Group(), Group())
                let description = venue.directory.file("one.sdp")
                try venue.start(
                    ["ffmpeg", "-nostdin", "-loglevel", "error"] + Self.input + coding.options + [
                        "-metadata", "title=One", "-f", "rtp", "-sdp_file", description,
                        "rtp://\(group.address):\(group.port)?ttl=1&localaddr=127.0.0.1&pkt_size=1400",
                    ], name: "ffmpeg")
                let box = try await BoxProcess(["announcements": ["groups": [announcements.json]]], in: venue)
                try await Task.sleep(for: .seconds(3))
                let text = try String(contentsOfFile: description, encoding: .utf8)
                // ffmpeg writes a line of its own before it.
                let start = text.range(of: "v=0")?.lowerBound ?? text.startIndex
                try DatagramSender(to: announcements).send(
                    AnnouncementMaker.packet(String(text[start...]), type: "application/sdp"))
                try await box.awaitChannel("One")
                try await expectPictures(of: coding, on: box)
            }
        }

        private func expectPictures(of coding: Coding, on box: BoxProcess) async throws {
            _ = try await box.answer("tune", "One")
            let tuned = ContinuousClock.now
            var first: Duration?
            _ = try await eventually(within: .seconds(12)) {
                let presented = try await box.answer("stats").at("/stats/stage/picturesPresented")?.integer ?? 0
                if presented > 0, first == nil { first = ContinuousClock.now - tuned }
                return presented > 50
            }
            let seconds = try #require(first) / .seconds(1)
            print("\(coding.testDescription): first picture after \(seconds) s")
            #expect(seconds < coding.limit)
            let stats = try await box.answer("stats")
            #expect(stats.at("/stats/playback/decoderRestarts") == 0)
            #expect(stats.at("/stats/stage/picturesPresented")?.integer ?? 0 > 50)
        }
    }
}
