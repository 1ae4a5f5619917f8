// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TransportStream

/// ffmpeg as the other side, in both directions, with what is installed here and not with what was captured once.
@Suite(.serialized, .enabled(if: Required.file("ffmpeg") && Required.file("ffprobe"))) struct InteropFFmpegTests {
    /// - Returns: what the command wrote to stdout and to stderr, read while it runs.
    private func run(_ command: [String]) throws -> (output: String, complaints: String) {
        let errors = temporary("err")
        #expect(FileManager.default.createFile(atPath: errors.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: errors) }  // left behind in /tmp at worst
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let complaints = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(command.joined(separator: " "))\n\(complaints)")
        return (text, complaints)
    }

    private func temporary(_ suffix: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("touchline-\(UUID().uuidString).\(suffix)")
    }

    private func listing(of file: URL) throws -> String {
        let entries = "packet=codec_type,pts,dts,size,flags"
        return try run(["ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", file.path]).output
    }

    @Test(arguments: [
        ["-preset", "ultrafast", "-tune", "zerolatency"],
        ["-preset", "veryfast", "-bf", "3", "-x264-params", "open-gop=1"],
        ["-preset", "veryfast", "-bf", "2", "-x264-params", "slices=4"],
        ["-c:v", "mpeg2video", "-bf", "2", "-b:v", "800k"],
        ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=25:pools=none:log-level=error"],
    ]) func seesWhatFFprobeSees(encoder: [String]) throws {
        let file = temporary("ts")
        defer { try? FileManager.default.removeItem(at: file) }  // left behind in /tmp at worst
        _ = try run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i",
                "sine",
            ]
                + ["-t", "6", "-c:v", "libx264", "-g", "25", "-threads", "1", "-pix_fmt", "yuv420p"] + encoder
                + ["-c:a", "aac", "-f", "mpegts", file.path])
        let (sink, demultiplexer) = RecordingSink.demultiplex([UInt8](try Data(contentsOf: file)))
        let text = try listing(of: file)
        let (video, audio) = (Vector.lines("video", of: text), Vector.lines("audio", of: text))
        let lines = sink.videoLines
        #expect(video.count == 150 && lines.map(\.pts) == video.map(\.pts) && lines.map(\.dts) == video.map(\.dts))
        #expect(lines.map(\.isKey) == video.map(\.isKey))
        // Of HEVC ffprobe gives the zero octet before a start code to the picture before.
        #expect(zip(lines, video).allSatisfy { abs($0.size - $1.size) <= (encoder.contains("libx265") ? 1 : 0) })
        #expect(sink.audioAgrees(with: audio))
        #expect(demultiplexer.counters.continuityErrors == 0 && demultiplexer.counters.damagedUnits == 0)
        PeerLog.add("ffmpeg", test: #function, checks: video.count + audio.count)
    }

    @Test func ffmpegReadsWhatWeWrite() throws {
        let original = RecordingSink.demultiplex(try Vector.bytes("testsrc2.ts")).sink
        let file = temporary("ts")
        defer { try? FileManager.default.removeItem(at: file) }  // left behind in /tmp at worst
        try Data(TSMultiplexerTests.remultiplex(original)).write(to: file)
        let text = try listing(of: file)
        #expect(Vector.lines("video", of: text) == original.videoLines)
        #expect(original.audioAgrees(with: Vector.lines("audio", of: text)))
        let complaints = try run(["ffmpeg", "-v", "warning", "-xerror", "-i", file.path, "-f", "null", "-"]).complaints
        #expect(complaints == "")
        let programs = try run(["ffprobe", "-v", "error", "-show_programs", file.path]).output
        for line in ["TAG:service_name=Kanal 1", "TAG:service_provider=Prüfung", "pcr_pid=256", "TAG:language=deu"] {
            #expect(programs.contains(line), "\(line)")
        }
        PeerLog.add("ffmpeg", test: #function, checks: original.videoLines.count + original.audioLines.count + 5)
    }
}
