// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A transport stream of ffmpeg's making, whose every picture shows its number in bits. H.264 with B pictures, AAC,
/// a second from one random-access point to the next, constant bit rate.
struct CountedVideo {
    let path: String
    let frameCount: Int
    /// Of its first picture.
    var firstNumber = 0

    static let width = 640
    static let height = 360
    static let rate = 25
    /// Of one picture, 90 kHz.
    static let frameSpan = 90_000 / rate
    static let kilobits = 2_500
    private static let bits = 14
    /// Of a bit's square: the number of its octets that are looked at in the middle, and where the row of them begins.
    private static let square = (size: 40, left: 32, top: 304)

    /// - Parameters:
    ///   - pids: of the PMT and of the first elementary stream.
    ///   - offset: of its time stamps, in seconds.
    ///   - number: of its first picture.
    ///   - sound: a lavfi source.
    ///   - packet: octets of sound that a PES packet has at least. ffmpeg's 2,930 are a quarter of a second, by which the
    ///     sound comes later than the pictures of its instant, and these wait for it.
    static func make(
        seconds: Int = 40, pids: (table: Int, first: Int) = (0x1000, 0x100), offset: Int = 0, from number: Int = 0,
        sound: String = "sine=frequency=440:sample_rate=48000", packet: Int = 2_930, in venue: TestVenue
    ) async throws -> CountedVideo {
        let path = try await venue.film(
            "counted",
            [
                "-f", "lavfi", "-i", picture(from: number), "-f", "lavfi", "-i",
                sound, "-t", "\(seconds)", "-c:v", "libx264", "-preset", "superfast", "-g", "\(rate)",
                "-keyint_min", "\(rate)", "-sc_threshold", "0", "-bf", "2", "-b:v", "1500k", "-maxrate", "1800k",
                "-bufsize", "900k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "96k",
                "-output_ts_offset", "\(offset)", "-mpegts_pmt_start_pid", "\(pids.table)",
                "-mpegts_start_pid", "\(pids.first)", "-pes_payload_size", "\(packet)", "-muxrate", "\(kilobits)k",
                "-f", "mpegts",
            ])
        return CountedVideo(path: path, frameCount: seconds * rate, firstNumber: number)
    }

    /// At the rate of a channel in a stadium, 5 Mbit/s, evenly: what pictures do not need is filled up.
    static func makeDense(seconds: Int, in venue: TestVenue) async throws -> CountedVideo {
        let path = try await venue.film(
            "dense",
            [
                "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", SoundCoding.tone, "-t", "\(seconds)",
                "-c:v", "libx264", "-preset", "superfast", "-g", "\(rate)", "-keyint_min", "\(rate)",
                "-sc_threshold", "0", "-bf", "2", "-b:v", "4700k", "-minrate", "4700k", "-maxrate", "4700k",
                "-bufsize", "2350k", "-x264-params", "nal-hrd=cbr", "-pix_fmt", "yuv420p",
                "-c:a", "aac", "-b:a", "96k", "-f", "mpegts",
            ])
        return CountedVideo(path: path, frameCount: seconds * rate)
    }

    /// Nothing but the pictures, in a container without a clock.
    static func make(_ coding: PictureCoding, seconds: Int, in venue: TestVenue) async throws -> CountedVideo {
        let path = try await venue.film(
            "counted-\(coding)",
            ["-f", "lavfi", "-i", picture, "-t", "\(seconds)"] + coding.arguments + ["-pix_fmt", "yuv420p"],
            type: "mkv")
        return CountedVideo(path: path, frameCount: seconds * rate)
    }

    /// One random-access point at the very beginning and none behind it.
    static func makeEndlessGroup(
        seconds: Int, repeatsParameterSets: Bool = false, in venue: TestVenue
    ) async throws -> CountedVideo {
        let parameterSets = repeatsParameterSets ? ["-flags", "+global_header", "-bsf:v", "dump_extra=freq=all"] : []
        let path = try await venue.film(
            "endless",
            [
                "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", SoundCoding.tone, "-t", "\(seconds)", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "100000", "-sc_threshold", "0", "-b:v", "1500k", "-maxrate",
                "1800k", "-bufsize", "900k", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + parameterSets + ["-muxrate", "\(kilobits)k", "-f", "mpegts"])
        return CountedVideo(path: path, frameCount: seconds * rate)
    }

    static let ffmpeg = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y"]

    /// A lavfi source without end.
    static var picture: String { picture(from: 0) }

    static func picture(from number: Int) -> String {
        let (size, left, top) = square
        let band = "drawbox=x=\(left - 8):y=\(top - 8):w=\(size * bits + 16):h=\(size + 16):color=black:t=fill"
        let digits = (0..<bits).map { bit in
            "drawbox=x=\(left + bit * size):y=\(top):w=\(size):h=\(size):color=white:t=fill"
                + ":enable='gte(mod(n+\(number)\\,\(2 << bit))\\,\(1 << bit))'"
        }
        return (["testsrc2=size=\(width)x\(height):rate=\(rate)", band] + digits).joined(separator: ",")
    }

    /// The number in a picture of `rgb24`; nil when there is none: what is not black is not white either.
    static func number(in picture: Data) -> Int? {
        var number = 0
        for bit in 0..<bits {
            let (x, y) = (square.left + bit * square.size + square.size / 2, square.top + square.size / 2)
            let green = picture[picture.startIndex + (y * width + x) * 3 + 1]
            guard green < 64 || green > 192 else { return nil }
            if green > 128 { number |= 1 << bit }
        }
        // A slate has no band of black around its bits.
        let edge = picture[picture.startIndex + ((square.top - 4) * width + square.left) * 3 + 1]
        return edge < 64 ? number : nil
    }
}
