// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A multiplex of two programmes of ffmpeg's, whose pictures show their numbers: the second's are counted on from
/// `secondNumber`.
enum TwoProgrammes {
    static let names = ["BBC ONE", "BBC TWO"]
    static let secondNumber = 8_192

    /// Sends with these names of the services until the venue is closed. The programmes have the numbers 101 and 102.
    /// - Parameter target: bare, since ffmpeg's RTP makes one programme of all streams.
    @discardableResult
    static func start(_ names: [String] = names, to target: StreamTarget, in venue: TestVenue) throws -> ChildProcess {
        try venue.start(
            ["ffmpeg", "-nostdin", "-loglevel", "error"] + arguments(names, reading: ["-re"]) + target.output(),
            name: "ffmpeg-programmes")
    }

    /// A file of both, as long and of the rate that every sender of such files expects.
    static func make(in venue: TestVenue) async throws -> CountedVideo {
        let seconds = 20
        let path = try await venue.film(
            "programmes",
            arguments(names) + ["-t", "\(seconds)", "-muxrate", "\(CountedVideo.kilobits)k", "-f", "mpegts"])
        return CountedVideo(path: path, frameCount: seconds * CountedVideo.rate)
    }

    /// - Parameter options: of each source.
    private static func arguments(_ names: [String], reading options: [String] = []) -> [String] {
        let rate = "\(CountedVideo.rate)"
        let sources = [0, secondNumber].flatMap {
            options + ["-f", "lavfi", "-i", CountedVideo.picture(from: $0)]
        }
        let coding = [
            "-map", "0:v", "-map", "1:v", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency",
            "-threads", "1", "-g", rate, "-keyint_min", rate, "-sc_threshold", "0", "-b:v", "1000k", "-maxrate",
            "1000k", "-bufsize", "400k", "-pix_fmt", "yuv420p",
        ]
        let programmes = names.enumerated().flatMap {
            ["-program", "title=\($0.element):program_num=\(101 + $0.offset):st=\($0.offset)"]
        }
        return sources + coding + programmes
    }

    /// Has DVBlast receive the multiplex and send one of its programmes on by itself, in RTP with tables of its own.
    static func startDVBlast(
        sending number: Int, of source: StreamTarget, to target: StreamTarget, in venue: TestVenue
    ) throws -> ChildProcess {
        let (from, to) = (source.group, target.group)
        let outputs = try venue.directory.write(
            "\(to.address):\(to.port)@127.0.0.1 1 \(number)\n", to: "dvblast-\(to.port).conf")
        let options = source.encapsulation == .raw ? "/udp/ifaddr=127.0.0.1" : "/ifaddr=127.0.0.1"
        return try venue.start(
            ["dvblast", "-q", "-D", "@\(from.address):\(from.port)\(options)", "-c", outputs, "-C", "-t", "1"],
            name: "dvblast")
    }
}
