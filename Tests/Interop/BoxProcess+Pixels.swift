// SPDX-License-Identifier: Apache-2.0
import Foundation

extension BoxProcess {
    /// What is on the screen: triples of red, green and blue.
    func pixels(in venue: TestVenue) async throws -> Data {
        let (shot, raw) = (try await screenshot("shot.png"), venue.directory.file("shot.rgb"))
        try await venue.succeed(CountedVideo.ffmpeg + ["-i", shot, "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
        return FileManager.default.contents(atPath: raw) ?? Data()
    }
}
