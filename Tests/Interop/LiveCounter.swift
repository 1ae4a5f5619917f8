// SPDX-License-Identifier: Apache-2.0
import JSON

/// Numbers of which none comes twice while a test lasts: a film that is longer, or in a soak what ffmpeg codes as it goes.
enum LiveCounter {
    private static let seconds = 120

    static func start(to target: StreamTarget, in venue: TestVenue) async throws {
        let rate = "\(CountedVideo.rate)"
        let sources = [CountedVideo.picture, SoundCoding.tone].map { ["-f", "lavfi", "-i", $0] }
        let coding =
            [
                "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-threads", "1", "-g", rate,
                "-keyint_min", rate, "-sc_threshold", "0", "-b:v", "1500k", "-maxrate", "1500k", "-bufsize", "500k",
                "-pix_fmt", "yuv420p",
            ] + SoundCoding.aac.arguments
        let command: [String]
        if Interop.isSoak {
            command = ["ffmpeg", "-nostdin", "-loglevel", "error"] + sources.flatMap { ["-re"] + $0 } + coding
        } else {
            let film = sources.flatMap { $0 } + ["-t", "\(seconds)"] + coding + ["-f", "mpegts"]
            command = StreamTarget.paced([try await venue.film("live", film)])
        }
        try venue.start(command + target.output(), name: "ffmpeg-counts")
    }
}
