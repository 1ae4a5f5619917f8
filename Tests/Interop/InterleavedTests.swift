// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

extension Interop {
    /// H.264 whose units are not sent in decoding order. The coder is not ours; the sender is, since nobody else's does it.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct InterleavedTests {
        @Test func picturesAreWhole() async throws {
            try await TestVenue.open { venue in
                let rate = CountedVideo.rate
                let seconds = 30
                let path = try await venue.film(
                    "two-slices",
                    [
                        "-f", "lavfi", "-i", CountedVideo.picture, "-t", "\(seconds)", "-c:v", "libx264", "-preset",
                        "superfast", "-bf", "0", "-g", "\(rate)", "-keyint_min", "\(rate)", "-sc_threshold", "0",
                        "-x264-params", "slices=2:sliced-threads=0", "-b:v", "1500k", "-maxrate", "1800k", "-bufsize",
                        "900k", "-pix_fmt", "yuv420p",
                    ], type: "h264")
                let video = CountedVideo(path: path, frameCount: seconds * rate)
                let (announcements, group) = (Group(), Group())
                let announcer = try DatagramSender(to: announcements)
                let box = try await BoxProcess(["announcements": ["groups": [announcements.json]]], in: venue)
                let sender = try InterleavedSender(path, to: group)
                defer { sender.end() }
                try announcer.send(
                    AnnouncementMaker.packet(
                        InterleavedSender.description("Interleaved", group), type: "application/sdp"))
                try await box.awaitChannel("Interleaved")
                try await box.tune("Interleaved")
                var paths: [String] = []
                for index in 0..<4 {
                    try await Task.sleep(for: .milliseconds(690))
                    paths.append(try await box.screenshot("shot-\(index).png"))
                }
                let shots = try await Screenshots(paths, in: venue)
                let likeness = try await shots.likeness(to: video)
                let worst = likeness.values.min() ?? 0
                #expect(likeness.count == paths.count && worst >= 0.98, "\(shots.numbers), \(likeness)")
                let rests = try await box.counters(
                    "/playback/decodeErrors", "/playback/damagedFrames", "/stage/drawErrors", "/reception/lostPackets",
                    "/reception/malformedDatagrams", "/lineUp/announcementsUnplayable")
                #expect(rests.allSatisfy { $0 == 0 }, "\(rests)")
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }
    }
}
