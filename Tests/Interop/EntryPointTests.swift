// SPDX-License-Identifier: Apache-2.0
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
                ], limit: 4.5),
        ]

        @Test(arguments: codings) func joinedInItsMiddle(coding: Coding) async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let input = ["-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-pix_fmt", "yuv420p"]
                try venue.start(
                    ["ffmpeg", "-nostdin", "-loglevel", "error"] + input + coding.options + target.output(),
                    name: "ffmpeg")
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                try await Task.sleep(for: .seconds(3))
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
}
