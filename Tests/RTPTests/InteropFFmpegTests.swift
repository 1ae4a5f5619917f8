// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TestSupport
import Testing

@testable import RTP

/// ffmpeg as the sender of elementary streams, with what is installed here.
@Suite(.serialized, .enabled(if: Required.file("ffmpeg"))) struct InteropFFmpegTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("touchline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments
        try process.run()
        return process
    }

    private func run(_ arguments: [String]) throws {
        let process = try start(arguments)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments.joined(separator: " "))")
    }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func contents(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: file(name)))) }

    /// What ffmpeg sends of one stream of a clip, and how it describes it.
    private func send(
        _ stream: String, of clip: String = "clip.mp4", _ options: [String] = []
    ) throws -> (packets: [[UInt8]], description: String) {
        let receiver = try LoopbackReceiver()
        let process = try start(
            ["-re", "-i", file(clip), "-map", stream, "-c", "copy", "-f", "rtp", "-sdp_file", file("sdp")]
                + options + ["rtp://127.0.0.1:\(receiver.port)?rtcpport=\(receiver.port)&pkt_size=1200"])
        var packets: [[UInt8]] = []
        while process.isRunning || receiver.isReady {
            while let packet = receiver.receive() { packets.append(packet) }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        // RTCP comes the same way: its types are RTP's 72 to 76 with a marker.
        packets.removeAll { $0.count < 2 || (200...204).contains($0[1]) }
        return (packets, String(decoding: try contents("sdp"), as: UTF8.self))
    }

    private func parameter(_ name: String, of description: String) throws -> String {
        let start = try #require(description.range(of: "\(name)=")).upperBound
        return String(description[start...].prefix { !";\r\n ".contains($0) })
    }

    /// A coding of pictures, and how ffmpeg makes it.
    struct Coding: Sendable {
        var syntax = NALSyntax.h264
        var arguments = ["-c:v", "libx264", "-g", "12"]

        static let all = [
            Coding(), Coding(arguments: ["-c:v", "libx264", "-x264-params", "slices=3:keyint=12"]),
            Coding(
                syntax: .hevc,
                arguments: ["-c:v", "libx265", "-x265-params", "keyint=12:min-keyint=12:slices=2:log-level=error"]),
        ]

        var name: String { syntax == .h264 ? "h264" : "hevc" }
        var sets: [String] {
            syntax == .h264 ? ["sprop-parameter-sets"] : ["sprop-vps", "sprop-sps", "sprop-pps"]
        }

        func isSet(_ unit: [UInt8]) -> Bool {
            switch syntax.role(unit[0]) {
            case .parameters: true
            case .information: syntax == .hevc  // ffmpeg's file has x265's once more before each entry
            default: false
            }
        }
    }

    /// NAL units behind start codes, without delimiters.
    private func units(_ bytes: [UInt8], _ syntax: NALSyntax) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var index = 0
        var begun: Int?
        while index < bytes.count {
            let isCode = index + 2 < bytes.count && bytes[index...index + 2].elementsEqual([0, 0, 1])
            if isCode {
                if let begun { result.append(Array(bytes[begun..<index])) }
                begun = index + 3
                index += 3
            } else {
                index += 1
            }
        }
        if let begun { result.append(Array(bytes[begun...])) }
        return result.map { unit in Array(unit.reversed().drop { $0 == 0 }.reversed()) }
            .filter { syntax.role($0[0]) != .delimiter }
    }

    @Test(arguments: Coding.all) func takesThePicturesThatFFmpegSends(coding: Coding) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        try run(
            ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50", "-t", "1", "-pix_fmt", "yuv420p"]
                + ["-threads", "1"] + coding.arguments + [file("clip.mp4")])
        try run(
            ["-i", file("clip.mp4"), "-c", "copy", "-bsf:v", "\(coding.name)_mp4toannexb", "-f", coding.name]
                + [file("clip.annexb")])
        let (packets, description) = try send("0:v")
        let lists = try coding.sets.flatMap { try parameter($0, of: description).split(separator: ",") }
        let sets = try lists.map { [UInt8](try #require(Data(base64Encoded: String($0)))) }
        let syntax = coding.syntax
        var depacketizer: PictureDepacketizer = syntax == .h264 ? .h264(sets) : .hevc(sets)
        let pictures = Session.pictures(packets, of: &depacketizer)
        let theirs = units(try contents("clip.annexb"), syntax)
        // ffmpeg puts parameter sets behind other messages, we before them.
        let ours = pictures.flatMap { units($0.bytes, syntax) }.filter { !coding.isSet($0) }
        #expect(pictures.count == 50 && ours == theirs.filter { !coding.isSet($0) })
        let entries = pictures.filter(\.unit.isRandomAccess)
        #expect(entries.count == theirs.filter { syntax.role($0[0]) == .parameters(.sequence) }.count)
        #expect(entries.allSatisfy { Array(units($0.bytes, syntax).prefix(sets.count)) == sets })
        let damage = pictures.contains { $0.unit.isDamaged || $0.unit.followsLoss }
        #expect(!damage && depacketizer.counters.lostPackets == 0 && depacketizer.counters.malformedPackets == 0)
        let times = pictures.map { $0.unit.timestamp &- pictures[0].unit.timestamp }
        #expect(Set(times).count == 50 && times.allSatisfy { $0 % 1_800 == 0 || $0 > .max - 90_000 })
        PeerLog.add("ffmpeg", test: #function, checks: pictures.count)
    }

    @Test func takesTheSoundThatFFmpegSends() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        try run(
            ["-f", "lavfi", "-i", "sine=sample_rate=44100", "-t", "1", "-c:a", "aac", "-b:a", "96k", "-ac", "2"]
                + [file("clip.mp4")])
        try run(["-i", file("clip.mp4"), "-c", "copy", "-f", "adts", file("clip.aac")])
        let (packets, description) = try send("0:a")
        #expect(try parameter("sizelength", of: description.lowercased()) == "13")
        let octets = [UInt8](hexadecimal: try parameter("config", of: description))
        let config = try octets.withUnsafeBytes { try AudioSpecificConfig($0) }
        #expect(config.sampleRate == 44_100 && config.channelConfiguration == 2)
        var depacketizer = try SoundDepacketizer(.aac(octets), clockRate: 44_100)
        let frames = Session.frames(packets, of: &depacketizer)
        let theirs = try contents("clip.aac")
        let ours = frames.flatMap(\.bytes)
        // At its end ffmpeg keeps the units that do not fill a packet.
        #expect(theirs.starts(with: ours) && theirs.count - ours.count < 1_200 && frames.count > 36)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.unit.timestamp &- $0.unit.timestamp == 1_024 })
        #expect(depacketizer.counters.malformedPackets == 0 && depacketizer.counters.lostPackets == 0)
        PeerLog.add("ffmpeg", test: #function, checks: frames.count)
    }

    /// A stream without a container: MPEG video and audio are what ffmpeg writes into a file.
    @Test(arguments: [["-c:v", "mpeg2video", "-g", "12", "-bf", "2"], ["-c:v", "mpeg1video", "-g", "12"]])
    func takesTheMPEGVideoThatFFmpegSends(coder: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        let source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50", "-t", "1"]
        try run(source + coder + ["-b:v", "3000k", file("clip.mkv")])
        try run(["-i", file("clip.mkv"), "-c", "copy", "-f", "rawvideo", file("clip.raw")])
        let (packets, description) = try send("0:v", of: "clip.mkv")
        #expect(description.contains("RTP/AVP 32"))
        var depacketizer = PictureDepacketizer.video()
        let pictures = Session.pictures(packets, of: &depacketizer)
        let theirs = try contents("clip.raw")
        #expect(pictures.count == 50 && pictures.flatMap(\.bytes) == theirs)
        #expect(pictures.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss })
        PeerLog.add("ffmpeg", test: #function, checks: pictures.count)
    }

    /// Frames of layers II and III: one to a packet, several, and one in fragments.
    @Test(
        arguments: [
            ["-c:a", "mp2", "-b:a", "384k", "-ar", "32000"], ["-c:a", "mp2", "-b:a", "32k", "-ac", "1"],
            ["-c:a", "libmp3lame", "-b:a", "192k"],
        ] as [[String]])
    func takesTheMPEGAudioThatFFmpegSends(coder: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        try run(["-f", "lavfi", "-i", "sine=sample_rate=48000", "-t", "1", "-ac", "2"] + coder + [file("clip.mka")])
        try run(["-i", file("clip.mka"), "-c", "copy", "-f", "data", "-map", "0:a", file("clip.raw")])
        let (packets, _) = try send("0:a", of: "clip.mka")
        var depacketizer = try SoundDepacketizer(.mpegAudio, clockRate: 90_000)
        let ours = Session.frames(packets, of: &depacketizer).flatMap(\.bytes)
        let theirs = try contents("clip.raw")
        // At its end ffmpeg keeps the frames that do not fill a packet.
        #expect(theirs.starts(with: ours) && theirs.count - ours.count < 1_200 && !ours.isEmpty)
        #expect(depacketizer.counters.malformedPackets == 0 && depacketizer.counters.droppedUnits == 0)
        PeerLog.add("ffmpeg", test: #function, checks: packets.count)
    }

    /// What ffmpeg decodes of our frames is what it decodes of its own.
    @Test func takesTheLATMThatFFmpegSends() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        try run(["-f", "lavfi", "-i", "sine=sample_rate=48000", "-t", "1", "-c:a", "aac", "-ac", "2", file("clip.mp4")])
        let (packets, description) = try send("0:a", of: "clip.mp4", ["-rtpflags", "latm"])
        #expect(try parameter("cpresent", of: description) == "0")
        let config = [UInt8](hexadecimal: try parameter("config", of: description))
        var depacketizer = try SoundDepacketizer(.latm(configuration: config))
        let frames = Session.frames(packets, of: &depacketizer)
        #expect(frames.count > 40 && depacketizer.counters.malformedPackets == 0)
        try Data(frames.flatMap(\.bytes)).write(to: URL(filePath: file("ours.loas")))
        try run(["-f", "loas", "-i", file("ours.loas"), "-f", "s16le", file("ours.pcm")])
        try run(["-i", file("clip.mp4"), "-c", "copy", file("theirs.aac")])
        try run(["-i", file("theirs.aac"), "-f", "s16le", file("theirs.pcm")])
        let (ours, theirs) = (try contents("ours.pcm"), try contents("theirs.pcm"))
        #expect(ours.count == 1_024 * 4 * frames.count && theirs.starts(with: ours))
        PeerLog.add("ffmpeg", test: #function, checks: frames.count)
    }
}
