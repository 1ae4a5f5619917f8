// SPDX-License-Identifier: Apache-2.0
import JSON

/// ffmpeg counts and codes as it goes, so that no number comes twice.
enum LiveCounter {
    static func start(to target: StreamTarget, in venue: TestVenue) throws {
        let rate = "\(CountedVideo.rate)"
        let source = ["-re", "-f", "lavfi", "-i", CountedVideo.picture, "-re", "-f", "lavfi", "-i", SoundCoding.tone]
        let coding = [
            "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-threads", "1", "-g", rate,
            "-keyint_min", rate, "-sc_threshold", "0", "-b:v", "1500k", "-maxrate", "1500k", "-bufsize", "500k",
            "-pix_fmt", "yuv420p",
        ]
        try venue.start(
            ["ffmpeg", "-nostdin", "-loglevel", "error"] + source + coding + SoundCoding.aac.arguments
                + target.output(), name: "ffmpeg-counts")
    }
}
