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

    /// What ffmpeg sends of one stream of `clip.mp4`, and how it describes it.
    private func send(_ stream: String) throws -> (packets: [[UInt8]], description: String) {
        let receiver = try LoopbackReceiver()
        let process = try start(
            ["-re", "-i", file("clip.mp4"), "-map", stream, "-c", "copy", "-f", "rtp", "-sdp_file", file("sdp")]
                + ["rtp://127.0.0.1:\(receiver.port)?rtcpport=\(receiver.port)&pkt_size=1200"])
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

    /// NAL units behind start codes, without delimiters.
    private func units(_ bytes: [UInt8]) -> [[UInt8]] {
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
        return result.map { unit in Array(unit.reversed().drop { $0 == 0 }.reversed()) }.filter { $0[0] & 0x1F != 9 }
    }

    private func isSet(_ unit: [UInt8]) -> Bool { unit[0] & 0x1F == 7 || unit[0] & 0x1F == 8 }

    @Test(arguments: [[], ["-x264-params", "slices=3:keyint=12"]] as [[String]])
    func takesThePicturesThatFFmpegSends(options: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // left behind in /tmp at worst
        try run(
            ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=50", "-t", "1", "-c:v", "libx264", "-g", "12"]
                + ["-pix_fmt", "yuv420p", "-threads", "1"] + options + [file("clip.mp4")])
        try run(["-i", file("clip.mp4"), "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264", file("clip.h264")])
        let (packets, description) = try send("0:v")
        let sets = try parameter("sprop-parameter-sets", of: description).split(separator: ",")
            .map { [UInt8](try #require(Data(base64Encoded: String($0)))) }
        var depacketizer = H264Depacketizer(parameterSets: sets)
        let pictures = Session.pictures(packets, of: &depacketizer)
        let theirs = units(try contents("clip.h264"))
        // ffmpeg puts parameter sets behind other messages, we before them.
        let ours = pictures.flatMap { units($0.bytes) }.filter { !isSet($0) }
        #expect(pictures.count == 50 && ours == theirs.filter { !isSet($0) })
        let entries = pictures.filter(\.unit.isRandomAccess)
        #expect(entries.count == theirs.filter { $0[0] & 0x1F == 7 }.count)
        #expect(entries.allSatisfy { Array(units($0.bytes).prefix(sets.count)) == sets })
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
        let digits = Array(try parameter("config", of: description))
        let octets = try stride(from: 0, to: digits.count - 1, by: 2).map {
            try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
        }
        let config = try octets.withUnsafeBytes { try AudioSpecificConfig($0) }
        #expect(config.sampleRate == 44_100 && config.channelConfiguration == 2)
        var depacketizer = try AACDepacketizer(config: config, framing: try AACFraming(), clockRate: 44_100)
        let frames = Session.frames(packets, of: &depacketizer)
        let theirs = try contents("clip.aac")
        let ours = frames.flatMap(\.bytes)
        // At its end ffmpeg keeps the units that do not fill a packet.
        #expect(theirs.starts(with: ours) && theirs.count - ours.count < 1_200 && frames.count > 36)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.unit.timestamp &- $0.unit.timestamp == 1_024 })
        #expect(depacketizer.counters.malformedPackets == 0 && depacketizer.counters.lostPackets == 0)
        PeerLog.add("ffmpeg", test: #function, checks: frames.count)
    }
}
