// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A transport stream of constant bit rate that flashes white and beeps for a fifth of each second, both from the
/// second's beginning on.
enum FlashAndBeep {
    static let flash = 0.2
    static let kilobits = CountedVideo.kilobits

    static func make(seconds: Int, sound: SoundCoding = .aac, in venue: TestVenue) async throws -> CountedVideo {
        let flash = "drawbox=color=white:t=fill:enable='lt(mod(n\\,25)\\,5)'"
        let beep = "aevalsrc='0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,\(Self.flash))':s=48000:c=stereo"
        var command: [String] = ["-f", "lavfi", "-i", "color=black:size=320x180:rate=25,\(flash)", "-f", "lavfi", "-i"]
        command += [beep.replacingOccurrences(of: "c=stereo", with: "c=mono"), "-t", "\(seconds)"]
        command += PictureCoding.h264.arguments
        command += ["-pix_fmt", "yuv420p"]
        command += sound.arguments
        command += ["-ac", "2", "-muxrate", "\(kilobits)k", "-f", "mpegts"]
        let path = try await venue.film("flash", command)
        return CountedVideo(path: path, frameCount: seconds * CountedVideo.rate)
    }

    /// The beeps alone.
    /// - Returns: path of the file.
    static func makeBeeps(seconds: Int, in venue: TestVenue) async throws -> String {
        let beep = "aevalsrc='0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,\(flash))':s=48000:c=mono"
        let command = ["-f", "lavfi", "-i", beep, "-t", "\(seconds)", "-ac", "2"] + SoundCoding.mp2.arguments
        return try await venue.film("beeps", command, type: "mka")
    }
}

/// When flashes begin, found from many looks at the screen, each of which took some time.
struct FlashPhase {
    struct Look {
        /// The screen was read between these, in seconds.
        let asked: Double
        let answered: Double
        let isLit: Bool
    }

    /// Of the flashes' beginnings in a second, 0..<1.
    let phase: Double
    /// How far the looks leave it open, in seconds, to either side.
    let uncertainty: Double
    /// Looks that do not fit.
    let contradictions: Int

    private static let steps = 2_000

    init(_ looks: [Look]) {
        // For each phase, how many looks speak against it: all that is certain of a look is what held all of its time.
        let counts = (0..<Self.steps).map { step in
            let phase = Double(step) / Double(Self.steps)
            return looks.count { look in
                let since = Self.inSecond(look.asked - phase)
                let end = since + look.answered - look.asked
                let isLitAllTheTime = end < FlashAndBeep.flash
                let isDarkAllTheTime = since >= FlashAndBeep.flash && end < 1
                return look.isLit ? isDarkAllTheTime : isLitAllTheTime
            }
        }
        let least = counts.min() ?? 0
        let best = counts.indices.filter { counts[$0] == least }
        // A mean on a circle: the phases that are left lie close together.
        let angles = best.map { 2 * Double.pi * Double($0) / Double(Self.steps) }
        let angle = atan2(angles.map(sin).reduce(0, +), angles.map(cos).reduce(0, +))
        let middle = Self.inSecond(angle / (2 * .pi))
        phase = middle
        uncertainty =
            best.map { abs(Self.centred(Double($0) / Double(Self.steps) - middle)) }.max() ?? 0.5
        contradictions = least
    }

    /// 0..<1.
    static func inSecond(_ time: Double) -> Double { time - time.rounded(.down) }
    /// -0.5...0.5.
    static func centred(_ time: Double) -> Double { time - time.rounded() }

    /// Looks at a box's screen as fast as it answers.
    /// - Parameter pause: between looks; an odd one, so that they fall everywhere in a second.
    static func looks(at box: ControlSocket, seconds: Double, pause: Double = 0.007, in venue: TestVenue) async throws
        -> [Look]
    {
        var (taken, pictures): ([(Double, Double)], Data) = ([], Data())
        let end = ControlSocket.now() + seconds
        while ControlSocket.now() < end {
            let answer = try box.ask("screenshot")
            guard let picture = answer.result["png"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw VenueError("no picture in the answer")
            }
            pictures += picture
            taken.append((answer.asked, answer.answered))
            try await Task.sleep(for: .seconds(pause))
        }
        let (all, gray) = (venue.directory.file("looks.pngs"), venue.directory.file("looks.gray"))
        try pictures.write(to: URL(fileURLWithPath: all))
        try await venue.succeed(
            CountedVideo.ffmpeg + [
                "-f", "image2pipe", "-c:v", "png", "-i", all, "-vf", "scale=1:1:flags=area,format=gray", "-fps_mode",
                "passthrough", "-f", "rawvideo", gray,
            ])
        let values = FileManager.default.contents(atPath: gray) ?? Data()
        guard values.count == taken.count else { throw VenueError("\(taken.count) looks, \(values.count) values") }
        return zip(taken, values).map { Look(asked: $0.0, answered: $0.1, isLit: $1 > 127) }
    }
}
