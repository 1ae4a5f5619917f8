// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

/// Streams that carry another codec than their map says (`streams.md` 8).
@Suite struct StreamContentsTests {
    private static let adts: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x20, 0x1F, 0xFC, 0x21]
    private static let latm: [UInt8] = [0x56, 0xE0, 0x60, 0x20, 0x00, 0x11, 0x90, 0x08]
    private static let mp2: [UInt8] = [0xFF, 0xFD, 0xA4, 0x04, 0x55, 0x55, 0x55, 0x55]
    private static let ac3: [UInt8] = [0x0B, 0x77, 0x3C, 0x0C, 0x1E, 0x40, 0x43, 0xE1]
    private static let eac3: [UInt8] = [0x0B, 0x77, 0x02, 0xFF, 0x3F, 0x86, 0x00, 0x21]
    private static let avc: [UInt8] = [0, 0, 0, 1, 0x09, 0xF0, 0, 0]
    private static let hevc: [UInt8] = [0, 0, 1, 0x40, 0x01, 0x0C, 0x01, 0xFF]
    private static let mpeg2: [UInt8] = [0, 0, 1, 0xB3, 0x14, 0x00, 0xF0, 0x24]

    private var demultiplexer = TSDemultiplexer()
    private var sink = RecordingSink()
    private var counter: UInt8 = 0
    private var clock: Int64 = 90_000

    private mutating func list(_ streams: [ElementaryStream], version: UInt8 = 0) {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        demultiplexer.push(
            PSITests.packets(association.section(version: 0), pid: 0, counter: version), to: &sink)
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams)
        demultiplexer.push(PSITests.packets(map.section(version: version), pid: 0x1000, counter: version), to: &sink)
    }

    private mutating func begin(_ data: [UInt8], on pid: UInt16 = 0x100, streamID: UInt8) {
        clock += 3_600
        var out = WireWriter()
        PESHeader.write(streamID: streamID, pts: clock, dts: nil, dataCount: data.count, to: &out)
        let unit = out.bytes + data
        var packet = WireWriter()
        _ = TSPacketWriter(pid: pid, startsUnit: true, counter: counter).write(available: unit.count, to: &packet)
        counter = (counter + 1) & 0xF
        demultiplexer.push(packet.bytes + unit, to: &sink)
    }

    /// Dispatcharr #455, androidx/media #987, ExoPlayer #898, and siblings.
    @Test(
        arguments: [
            (0x0F, latm, .latm, 3), (0x11, adts, .adts, 3), (0x0F, eac3, .enhancedAC3, 3), (0x0F, mp2, .mpegAudio, 3),
            (0x04, ac3, .ac3, 3), (0x81, eac3, .enhancedAC3, 3), (0x06, ac3, .ac3, 2), (0x06, mp2, .mpegAudio, 2),
            (0x1C, adts, .adts, 2),
        ] as [(UInt8, [UInt8], StreamCodec, Int)])
    mutating func findsSound(type: UInt8, data: [UInt8], codec: StreamCodec, proof: Int) {
        list([ElementaryStream(type: 0x1B, pid: 0x101), ElementaryStream(type: type, pid: 0x100)])
        for _ in 1..<proof { begin(data, streamID: 0xBD) }
        #expect(demultiplexer.program?.audio?.codec != codec)
        let units = sink.audio.count
        begin(data, streamID: 0xBD)
        let found = demultiplexer.program?.audio
        #expect(found?.codec == codec && found?.type == type)
        #expect(found?.listedCodec == ElementaryStream(type: type, pid: 0x100).codec)
        for _ in 0..<3 { begin(data, streamID: 0xBD) }
        #expect(sink.audio.count >= units + 3, "the unit by which it was found is not lost")
    }

    @Test(
        arguments: [
            (0x06, hevc, .hevc, 1), (0x06, avc, .h264, 1), (0x06, mpeg2, .mpeg2Video, 1), (0x1B, hevc, .hevc, 3),
            (0x02, avc, .h264, 3), (0x24, mpeg2, .mpeg2Video, 3), (0xA0, hevc, .hevc, 1),
        ] as [(UInt8, [UInt8], StreamCodec, Int)])
    mutating func findsPictures(type: UInt8, data: [UInt8], codec: StreamCodec, proof: Int) {
        list([ElementaryStream(type: type, pid: 0x100)])
        for _ in 1..<proof { begin(data, streamID: 0xE0) }
        #expect(demultiplexer.program?.video?.codec != codec)
        begin(data, streamID: 0xE0)
        #expect(demultiplexer.program?.video?.codec == codec)
    }

    /// What is as it is listed, or cannot be told, stays; so does MPEG-1.
    @Test(
        arguments: [
            (0x0F, adts, 0xC0), (0x1B, avc, 0xE0), (0x24, hevc, 0xE0), (0x01, mpeg2, 0xE0), (0x0F, avc, 0xC0),
            (0x1B, adts, 0xE0), (0x0F, [1, 2, 3, 4, 5, 6, 7, 8], 0xC0), (0x0F, [], 0xC0),
        ] as [(UInt8, [UInt8], UInt8)])
    mutating func leavesWhatIsRight(type: UInt8, data: [UInt8], streamID: UInt8) {
        let stream = ElementaryStream(type: type, pid: 0x100)
        list([stream])
        for _ in 0..<700 { begin(data, streamID: streamID) }
        #expect(demultiplexer.program?.streams == [stream] && sink.programs.count == 1)
    }

    /// One PES packet that begins by chance as another codec does is not believed.
    @Test mutating func chanceIsNoProof() {
        let stream = ElementaryStream(type: 0x0F, pid: 0x100)
        list([stream])
        for _ in 0..<3 {
            begin(Self.latm, streamID: 0xC0)
            begin(Self.latm, streamID: 0xC0)
            begin(Self.adts, streamID: 0xC0)
        }
        #expect(demultiplexer.program?.streams == [stream])
    }

    /// What was found stays over another map of the same program, and goes with the entry.
    @Test mutating func anotherMap() {
        list([ElementaryStream(type: 0x0F, pid: 0x100)])
        for _ in 0..<3 { begin(Self.latm, streamID: 0xC0) }
        list([ElementaryStream(type: 0x0F, pid: 0x102), ElementaryStream(type: 0x0F, pid: 0x100)], version: 1)
        #expect(demultiplexer.program?.streams.map(\.codec) == [.adts, .latm])
        list([ElementaryStream(type: 0x81, pid: 0x100)], version: 2)
        #expect(demultiplexer.program?.streams.map(\.codec) == [.ac3])
    }

    /// Any octets: no trap, and what is found is a codec that is played.
    @Test(arguments: Effort.batches(20_000)) func anyOctets(seeds: ClosedRange<UInt64>) {
        let known = [Self.adts, Self.latm, Self.mp2, Self.ac3, Self.eac3, Self.avc, Self.hevc, Self.mpeg2]
        for seed in seeds {
            var random = SplitMix64(seed: seed)
            var data = known[Int.random(in: 0..<known.count, using: &random)]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                data[Int.random(in: 0..<8, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            data = Array(data.prefix(Int.random(in: 0...8, using: &random)))
            let codec = data.withUnsafeBytes { StreamCodec(beginning: $0) }
            #expect(codec?.isSupported ?? true, "seed \(seed)")
        }
    }
}
