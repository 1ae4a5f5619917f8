// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Screenshots of a counted video, read by ffmpeg.
struct Screenshots {
    /// In the order in which they were taken; nil: a picture without a number.
    let numbers: [Int?]
    private let pictures: [Data]
    private let venue: TestVenue
    /// Of a sum that ffmpeg reads; a hundred are too deep for it.
    private static let mostTerms = 50
    private static let octets = CountedVideo.width * CountedVideo.height * 3

    /// - Parameters:
    ///   - paths: PNG files.
    ///   - filter: of ffmpeg, which makes pictures of a counted video's size of them.
    init(_ paths: [String], through filter: String = "null", in venue: TestVenue) async throws {
        let inputs = paths.flatMap { ["-i", $0] }
        let parts = paths.indices.map { "[\($0):v]\(filter)[part\($0)]" }
        let streams = paths.indices.map { "[part\($0)]" }.joined()
        let raw = venue.directory.file("shots.rgb")
        let joined =
            paths.count > 1 ? (parts + ["\(streams)concat=n=\(paths.count)"]).joined(separator: ";") : "[0:v]\(filter)"
        try await venue.succeed(
            CountedVideo.ffmpeg + inputs + [
                "-filter_complex", joined, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
            ])
        let all = FileManager.default.contents(atPath: raw) ?? Data()
        guard all.count == paths.count * Self.octets else { throw VenueError("screenshots of another size") }
        pictures = paths.indices.map { all[$0 * Self.octets..<($0 + 1) * Self.octets] }
        numbers = pictures.map { CountedVideo.number(in: $0) }
        self.venue = venue
    }

    /// Nothing that anybody could see.
    func isBlack(_ index: Int) -> Bool { pictures[index].allSatisfy { $0 < 32 } }

    /// ffmpeg's own measure of each numbered screenshot against ffmpeg's own decoding of the picture with its number.
    /// - Parameter distance: compares with a picture that is later by so many.
    /// - Returns: SSIM by number.
    func likeness(to video: CountedVideo, distance: Int = 0) async throws -> [Int: Double] {
        let numbered = Dictionary(
            zip(numbers, pictures).compactMap { number, picture in number.map { ($0, picture) } },
            uniquingKeysWith: { first, _ in first }
        ).filter { $0.key - video.firstNumber + distance < video.frameCount }
        let wanted = numbered.keys.sorted()
        let (shots, frames) = (venue.directory.file("wanted.rgb"), venue.directory.file("frames.rgb"))
        try wanted.compactMap { numbered[$0] }.reduce(Data(), +).write(to: URL(fileURLWithPath: shots))
        let indices = wanted.map { $0 - video.firstNumber + distance }
        var chosen = Data()
        for start in stride(from: 0, to: indices.count, by: Self.mostTerms) {
            let choice = indices[start...].prefix(Self.mostTerms).map { "eq(n\\,\($0))" }.joined(separator: "+")
            try await venue.succeed(
                CountedVideo.ffmpeg + [
                    "-i", video.path, "-vf", "select='\(choice)'", "-fps_mode", "passthrough", "-f", "rawvideo",
                    "-pix_fmt", "rgb24", frames,
                ])
            chosen += FileManager.default.contents(atPath: frames) ?? Data()
        }
        try chosen.write(to: URL(fileURLWithPath: frames))
        let raw = ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "640x360", "-framerate", "25", "-i"]
        let lines = venue.directory.file("ssim.log")
        let measure = ["-lavfi", "ssim=stats_file=\(lines)", "-f", "null", "-"]
        let inputs: [String] = raw + [shots] + raw + [frames]
        try await venue.succeed(CountedVideo.ffmpeg + inputs + measure)
        // n:1 R:0.99 G:0.99 B:0.99 All:0.99 (20.0)
        let values = try String(contentsOfFile: lines, encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: " ").first { $0.hasPrefix("All:") }.flatMap { Double($0.dropFirst(4)) } ?? 0
        }
        guard values.count == wanted.count else { throw VenueError("\(wanted.count) pictures, \(values.count) values") }
        return Dictionary(uniqueKeysWithValues: zip(wanted, values))
    }
}
