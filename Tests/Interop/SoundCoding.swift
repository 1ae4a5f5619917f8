// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How ffmpeg codes and frames sound for a transport stream.
enum SoundCoding: String, CaseIterable {
    case aac, latm, mp2, ac3, opus

    /// Of the tone that is sent. No codec's frame is near a whole number of its waves: one that is missing, or comes
    /// twice, breaks the wave.
    static let hertz = 1_018

    var arguments: [String] {
        switch self {
        case .aac, .latm: ["-c:a", "aac", "-b:a", "128k"]
        case .mp2: ["-c:a", "mp2", "-b:a", "192k"]
        case .ac3: ["-c:a", "ac3", "-b:a", "192k"]
        case .opus: ["-c:a", "libopus", "-b:a", "96k"]
        }
    }

    /// Flags of the muxer.
    var flags: [String] { self == .latm ? ["latm"] : [] }

    static let tone = "sine=frequency=\(hertz):sample_rate=48000,volume=2.5,aformat=channel_layouts=stereo"

    /// - Returns: path of a file with nothing but the tone.
    func makeTone(seconds: Int, in venue: TestVenue) async throws -> String {
        try await venue.film(
            "tone-\(self)", ["-f", "lavfi", "-i", Self.tone, "-t", "\(seconds)"] + arguments, type: "mka")
    }
}
