// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Foundation
import Media
import RTP
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Casting

@Suite struct ChannelCasterTests {
    private func testCard(_ encapsulation: Transport.Encapsulation, bFrames: Int = 0) throws -> ChannelCaster {
        var settings = VideoEncoder.Settings(width: 320, height: 180, rate: (25, 1), gop: 25, kilobitsPerSecond: 500)
        settings.bFrames = bFrames
        settings.isLowDelay = bFrames == 0
        settings.preset = .ultrafast
        return ChannelCaster(
            try TestCardSource(name: "One", settings: settings), provider: "demo", name: "One",
            encapsulation: encapsulation, identity: .init(ssrc: 7, sequence: 65_530, timestamp: 99))
    }

    private func clip() throws -> String {
        try #require(Bundle.module.url(forResource: "Vectors/clip.mp4", withExtension: nil)).path
    }

    @Test func datagramsAreWholeSmallAndEvenlySpaced() throws {
        let caster = try testCard(.rtp(payloadType: 33))
        var sequence: UInt16 = 65_530
        for slot in 0..<50 {
            #expect(caster.nextSlotStart == .milliseconds(Int64(slot) * 40))
            var dues: [Nanoseconds] = []
            try caster.nextSlot(clock: "") { bytes, due in
                guard let header = try? RTPHeader(bytes) else {  // the recorded issue is what matters
                    Issue.record("no RTP")
                    return
                }
                #expect(header.sequence == sequence && header.payloadType == 33 && header.ssrc == 7)
                let early = Int64(header.timestamp) - 99 - due.count * 9 / 100_000
                #expect(abs(early) <= 1)
                let (packets, rest) = header.payload.count.quotientAndRemainder(dividingBy: 188)
                #expect(rest == 0)
                #expect((1...7).contains(packets))
                sequence &+= 1
                dues.append(due)
            }
            #expect(dues.first == .milliseconds(Int64(slot) * 40))
            let even = 40_000_000 / Int64(max(1, dues.count))
            for (earlier, later) in zip(dues, dues.dropFirst()) {
                let off = (later - earlier).count - even
                #expect(abs(off) <= 100)
            }
        }
    }

    @Test(arguments: [0, 2]) func theStreamIsSoundAndOnTime(bFrames: Int) throws {
        let caster = try testCard(.raw, bFrames: bFrames)
        var demultiplexer = TSDemultiplexer()
        var sink = Sink()
        for _ in 0..<150 {
            try caster.nextSlot(clock: "") { bytes, due in
                demultiplexer.push(datagram: bytes, to: &sink)
                sink.readClocks(bytes, due: due)
            }
        }
        let counters = demultiplexer.counters
        #expect(counters.continuityErrors == 0 && counters.malformedPackets == 0 && counters.damagedUnits == 0)
        #expect(demultiplexer.service?.name == "One")
        let video = sink.video.sorted()
        #expect(video.count > 100)
        for (earlier, later) in zip(video, video.dropFirst()) { #expect(later - earlier == 3_600) }
        let steps = zip(sink.audio, sink.audio.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 == 1_920 })
        // Tables that fall due in front of a clock reading may move it into the next datagram.
        #expect(sink.worstClockError < .milliseconds(11))
        #expect(sink.widestClockGap <= .milliseconds(41))
        #expect(sink.smallestLead > 0)
        // Sound and pictures of an instant have the same time: both count from the same start.
        let (sound, picture) = (try #require(sink.audio.first), try #require(sink.video.first))
        #expect(sound - picture <= 3_600)
    }

    @Test func aFileIsLoopedWithTimesThatRunOn() throws {
        let caster = ChannelCaster(
            try FileSource(path: try clip()), provider: "demo", name: "File", encapsulation: .raw,
            identity: .init(ssrc: 0, sequence: 0, timestamp: 0))
        var demultiplexer = TSDemultiplexer()
        var sink = Sink()
        for _ in 0..<125 {
            try caster.nextSlot(clock: "") { bytes, due in
                demultiplexer.push(datagram: bytes, to: &sink)
                sink.readClocks(bytes, due: due)
            }
        }
        let video = sink.video.sorted().dropLast(3)  // of the last, some still wait for those they are decoded after
        #expect((115...130).contains(video.count))
        let gaps = zip(video, video.dropFirst()).map { $1 - $0 }
        let jumps = gaps.filter { !(3_500...9_000).contains($0) }
        #expect(jumps == [])
        let irregular = gaps.count { $0 != 3_600 }
        #expect(irregular <= 5)  // at most where a round ends
        #expect(demultiplexer.counters.continuityErrors == 0)
        #expect(sink.randomAccess >= 4)
        #expect(sink.smallestLead > 0)
    }

    /// What ffprobe, which knows nothing of us, sees.
    @Test(.enabled(if: Required.file("/usr/bin/ffprobe"))) func ffprobeSeesOneProgramWithoutErrors() throws {
        let probe = "/usr/bin/ffprobe"
        let file = FileManager.default.temporaryDirectory.appending(path: "touchline-\(UUID().uuidString).ts")
        defer { try? FileManager.default.removeItem(at: file) }  // a leftover in /tmp fails no test
        let caster = try testCard(.raw, bFrames: 2)
        var stream: [UInt8] = []
        for _ in 0..<100 { try caster.nextSlot(clock: "12:00:00") { bytes, _ in stream += bytes } }
        try Data(stream).write(to: file)
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: probe)
        process.arguments = [
            "-v", "warning", "-count_frames", "-show_entries", "stream=codec_name,width,sample_rate,nb_read_frames",
            "-of",
            "csv=p=0", file.path,
        ]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(complaints == "")
        #expect(text.contains("h264,320") && text.contains("aac,48000"))
    }
}
