// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 6": to look costs the screen nothing, and what is looked at is what is on the screen.
    @Suite struct ScreenshotTests {
        /// One after the other for as long as the play lasts: more than anybody will ever ask for.
        @Test(.enabled(if: Peer.ffmpeg.isThere)) func screenshotsLoseNoPicture() async throws {
            try await TestVenue.open { venue in
                let (group, video) = (Group(), try await CountedVideo.make(in: venue))
                try venue.start(
                    [
                        "ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", video.path, "-c",
                        "copy", "-f", "rtp_mpegts",
                        "rtp://\(group.address):\(group.port)?ttl=1&pkt_size=1328&localaddr=127.0.0.1",
                    ], name: "ffmpeg")
                let channel = group.json.merging(patch: ["name": "One", "encapsulation": "rtp"])
                let box = try await BoxProcess(["channels": [channel]], in: venue)
                try await box.tune("One")
                // The beginning of a play is not its course: whoever joins has pictures to catch up with.
                try await Task.sleep(for: .seconds(2))
                let socket = try ControlSocket(box.socket)
                let before = try counters(socket)
                let seconds = Interop.playSeconds(usual: 8)
                let end = ControlSocket.now() + seconds
                var pictures: [String] = []
                var count = 0
                while ControlSocket.now() < end {
                    let answer = try socket.ask("screenshot")
                    count += 1
                    guard count % 8 == 1, pictures.count < 40 else { continue }
                    guard let file = answer.result["png"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                        throw VenueError("no picture in the answer")
                    }
                    let path = venue.directory.file("shot-\(pictures.count).png")
                    try file.write(to: URL(fileURLWithPath: path))
                    pictures.append(path)
                }
                let after = try counters(socket)
                let (presented, decoded) = (after.presented - before.presented, after.decoded - before.decoded)
                print("screenshotsLoseNoPicture: \(count) screenshots of \(presented) pictures in \(seconds) s")
                #expect(Double(count) > seconds * 5, "looks are rare")
                #expect(after.late == before.late, "pictures were too late to be shown")
                // What is decoded and waits for its time may be some more or less at the two readings.
                #expect(abs(presented - decoded) <= 4 && Double(presented) > seconds * 24)
                let shots = try await Screenshots(pictures, in: venue)
                let numbers = shots.numbers.compactMap { $0 }
                #expect(numbers.count == pictures.count, "no number in some of \(shots.numbers)")
                let likeness = try await shots.likeness(to: video)
                #expect((likeness.values.min() ?? 0) >= 0.98, "SSIM by picture: \(likeness)")
                try Peer.ffmpeg.log(test: #function, checks: count)
            }
        }

        private func counters(_ socket: ControlSocket) throws -> (presented: Int64, decoded: Int64, late: Int64) {
            let stats = try socket.ask("stats").result
            let values = [
                "/stats/stage/picturesPresented", "/stats/playback/framesDecoded", "/stats/stage/picturesLate",
            ]
            .map { stats.at($0)?.integer ?? -1 }
            return (values[0], values[1], values[2])
        }
    }
}
