// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

/// Each codec of a channel, as ffmpeg multiplexes it and ffprobe sees it.
@Suite struct CodecTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let video: StreamCodec
        let audio: StreamCodec
        let pictures: Int
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "testsrc2", video: .h264, audio: .adts, pictures: 75),
        Case(name: "hevc-eac3", video: .hevc, audio: .enhancedAC3, pictures: 25),
        Case(name: "mpeg2-mp2", video: .mpeg2Video, audio: .mpegAudio, pictures: 25),
        Case(name: "mpeg2i-ac3", video: .mpeg2Video, audio: .ac3, pictures: 25),
        // ffmpeg 5.1 gives MPEG-1 video the stream_type of MPEG-2.
        Case(name: "mpeg1-latm", video: .mpeg2Video, audio: .latm, pictures: 25),
        Case(name: "h264-opus", video: .h264, audio: .opus, pictures: 25),
    ]

    @Test(arguments: cases) func seesWhatFFprobeSees(sample: Case) throws {
        let (sink, demultiplexer) = RecordingSink.demultiplex(try Vector.bytes("\(sample.name).ts"))
        let listing = try Vector.listing(sample.name)
        let program = try #require(demultiplexer.program)
        #expect(program.video?.codec == sample.video && program.audio?.codec == sample.audio)
        #expect(program.unsupported.isEmpty)
        let expected = Vector.lines("video", of: listing)
        #expect(sink.videoLines.map(\.pts) == expected.map(\.pts) && sink.videoLines.map(\.dts) == expected.map(\.dts))
        #expect(sink.videoLines.map(\.isKey) == expected.map(\.isKey))
        var sizes = expected.map(\.size)
        if sample.video == .hevc {  // ffprobe gives the zero octet before a start code to the picture before
            sizes[0] -= 1
            sizes[sizes.count - 1] += 1
        }
        #expect(sink.videoLines.map(\.size) == sizes)
        #expect(sink.video.count == sample.pictures && sink.video.filter(\.unit.isRandomAccess).count == 3)
        let audio = Vector.lines("audio", of: listing)
        // Of two languages ffprobe lists both, frame by frame.
        let one = sample.name == "mpeg2-mp2" ? stride(from: 0, to: audio.count, by: 2).map { audio[$0] } : audio
        #expect(sink.audioAgrees(with: one))
        var clean = TSCounters()
        clean.packets = demultiplexer.counters.packets
        #expect(demultiplexer.counters == clean)
    }

    @Test(arguments: cases) func theScannerFindsTheSamePoints(sample: Case) throws {
        let stream = try Vector.bytes("\(sample.name).ts")
        let expected = Vector.lines("video", of: try Vector.listing(sample.name)).filter(\.isKey).map(\.pts)
        #expect(try points(stream) == expected)
        #expect(try points(withoutFlags(stream)) == expected, "by the octets alone")
    }

    private func points(_ stream: [UInt8]) throws -> [UInt64?] {
        var scanner = RandomAccessScanner()
        return try stream.withUnsafeBytes { bytes in
            try stride(from: 0, to: bytes.count, by: TSPacket.size).compactMap {
                scanner.inspect(try TSPacket(bytes, at: $0), in: bytes).map(\.pts)
            }
        }
    }

    private func withoutFlags(_ stream: [UInt8]) -> [UInt8] {
        var plain = stream
        for packet in stride(from: 0, to: plain.count, by: TSPacket.size) {
            if plain[packet + 3] & 0x20 != 0, plain[packet + 4] > 0 { plain[packet + 5] &= ~0x40 }
        }
        return plain
    }

    /// However the PES packets cut the pictures: their octets, and the times of those that first begin in one.
    @Test(arguments: cases, [40, 700, 1_501, 60_000]) func putsPicturesTogetherOverPESPackets(
        sample: Case, size: Int
    ) throws {
        let original = RecordingSink.demultiplex(try Vector.bytes("\(sample.name).ts")).sink.video
        for isBounded in [true, false] {
            let stream = Unaligned(original, size: size, isBounded: isBounded)
            let codec = sample.video == .h264 ? 0x1B : sample.video == .hevc ? 0x24 : 0x02 as UInt8
            let (sink, demultiplexer) = RecordingSink.demultiplex(stream.packets(type: codec))
            // The zero octet before a start code stays in its PES packet.
            #expect(sink.video.flatMap(\.bytes) == original.flatMap(\.bytes), "bounded: \(isBounded)")
            #expect(zip(sink.video, original).allSatisfy { abs($0.bytes.count - $1.bytes.count) <= 1 })
            #expect(sink.video.map(\.unit.pts) == stream.times, "bounded: \(isBounded)")
            #expect(sink.video.map(\.unit.isRandomAccess) == original.map(\.unit.isRandomAccess))
            #expect(demultiplexer.counters.damagedUnits == 0 && demultiplexer.counters.continuityErrors == 0)
        }
    }

    @Test(arguments: cases) func survivesTruncationAnywhere(sample: Case) throws {
        let stream = try Vector.bytes("\(sample.name).ts")
        let piece = Array(stream.prefix(14 * TSPacket.size))
        let whole = RecordingSink.demultiplex(piece).sink
        for length in stride(from: 0, to: piece.count, by: Effort.isEmulated ? 61 : 1) {
            let (sink, demultiplexer) = RecordingSink.demultiplex(Array(piece.prefix(length)))
            #expect(sink.video.count <= whole.video.count && sink.audio.count <= whole.audio.count)
            #expect(demultiplexer.counters.continuityErrors == 0)
        }
    }

    @Test(arguments: cases) func staysWithinDamagedBytes(sample: Case) throws {
        let stream = try Vector.bytes("\(sample.name).ts")
        let piece = Array(stream.prefix(48 * TSPacket.size))
        for seed in 0..<Mutation.count(usual: 300) {
            var mutation = Mutation(seed: UInt64(seed))
            let bytes = mutation.damagePackets(piece)
            let (sink, _) = RecordingSink.demultiplex(bytes)
            let total = (sink.video + sink.audio).map(\.bytes.count).reduce(0, +)
            #expect(total <= bytes.count, "seed \(seed)")
        }
    }

    @Test func saysTheChannelsOfOpus() throws {
        let program = RecordingSink.demultiplex(try Vector.bytes("h264-opus.ts")).demultiplexer.program
        #expect(program?.audio?.channels == 1)
    }

    /// RFC 6716 packets of 20 ms behind headers of the carriage: two in one unit, the second with all that can be said.
    @Test func takesOpusOutOfItsHeaders() throws {
        let packet = Array(repeating: 0xAB as UInt8, count: 300)
        let bytes = [0x7F, 0xE0, 2, 1, 2] + [0x7F, 0xFC, 0xFF, 45, 0, 1, 0, 2, 3, 9, 9, 9] + packet
        #expect(try opusPlaces(bytes) == [3..<5, 17..<317])
        for length in Array(1..<5) + Array(6..<bytes.count) {
            #expect(throws: WireError.self) { try opusPlaces(Array(bytes.prefix(length))) }
        }
        #expect(throws: WireError.self) { try opusPlaces([0x7F, 0xE0, 0]) }
        #expect(throws: WireError.self) { try opusPlaces([0x5F, 0xE0, 1, 0]) }
    }

    private func opusPlaces(_ octets: [UInt8]) throws -> [Range<Int>] {
        try octets.withUnsafeBytes { bytes in
            var units = OpusUnits(bytes)
            var result: [Range<Int>] = []
            while let place = try units.next() { result.append(place) }
            return result
        }
    }
}
