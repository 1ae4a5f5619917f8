// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TransportStream

@Suite struct TSDemultiplexerTests {
    private let stream: [UInt8]
    private let listing: String

    init() throws {
        stream = try Vector.bytes("testsrc2.ts")
        listing = String(decoding: try Vector.bytes("testsrc2.csv"), as: UTF8.self)
    }

    /// The packets with this PID, as indices.
    private func packets(of pid: UInt16) throws -> [Int] {
        try stream.withUnsafeBytes { bytes in
            try (0..<bytes.count / TSPacket.size).filter { try TSPacket(bytes, at: $0 * TSPacket.size).pid == pid }
        }
    }

    private func range(_ packet: Int) -> Range<Int> { packet * TSPacket.size..<(packet + 1) * TSPacket.size }

    @Test func seesWhatFFprobeSees() {
        let (sink, demultiplexer) = RecordingSink.demultiplex(stream)
        #expect(sink.videoLines == Vector.lines("video", of: listing) && sink.video.count == 75)
        #expect(sink.audioAgrees(with: Vector.lines("audio", of: listing)))
        var expected = TSCounters()
        expected.packets = UInt64(stream.count / TSPacket.size)
        #expect(demultiplexer.counters == expected)
    }

    @Test func namesTheProgramAndItsService() throws {
        let (sink, demultiplexer) = RecordingSink.demultiplex(stream)
        let program = try #require(demultiplexer.program)
        #expect(sink.programs == [program])
        #expect(program.number == 1 && program.mapPID == 0x1000 && program.pcrPID == 0x100)
        #expect(program.video?.codec == .h264 && program.audio?.codec == .adts && program.audio?.language == "eng")
        #expect(demultiplexer.service == SDT.Service(id: 1, type: 1, provider: "Über", name: "Kanal-1"))
    }

    /// The caller's mark of each datagram comes back with the units that began in it.
    @Test(arguments: ["testsrc2", "hevc-eac3", "mpeg2-mp2", "h264-opus"])
    func saysInWhichDatagramAUnitBegan(name: String) throws {
        let stream = try Vector.bytes("\(name).ts")
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        var began: [UInt16: [UInt64]] = [:]
        try stream.withUnsafeBytes { bytes in
            for (index, start) in stride(from: 0, to: bytes.count, by: 5 * TSPacket.size).enumerated() {
                let datagram = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + 940)])
                demultiplexer.mark = UInt64(index)
                demultiplexer.push(datagram: datagram, to: &sink)
                for offset in stride(from: 0, to: datagram.count, by: TSPacket.size) {
                    let packet = try TSPacket(datagram, at: offset)
                    if packet.startsUnit { began[packet.pid, default: []].append(UInt64(index)) }
                }
            }
        }
        demultiplexer.flush(to: &sink)
        #expect(sink.video.map(\.unit.mark) == began[0x100])
        #expect(sink.audio.filter { $0.unit.pts != nil }.map(\.unit.mark) == began[0x101])
    }

    @Test func marksTheUnitWithAGapAndNoOther() throws {
        var damaged = stream
        let video = try packets(of: 0x100)
        damaged.removeSubrange(range(video[3]))  // inside the first picture, of ten packets
        let (sink, demultiplexer) = RecordingSink.demultiplex(damaged)
        #expect(sink.video.map(\.unit.isDamaged) == [true] + Array(repeating: false, count: 74))
        #expect(demultiplexer.counters.continuityErrors == 1 && demultiplexer.counters.damagedUnits == 1)
    }

    @Test func dropsADuplicate() throws {
        var doubled = stream
        let packet = range(try packets(of: 0x100)[3])
        doubled.insert(contentsOf: stream[packet], at: packet.upperBound)
        let (sink, demultiplexer) = RecordingSink.demultiplex(doubled)
        #expect(sink.videoLines == Vector.lines("video", of: listing))
        #expect(demultiplexer.counters.duplicates == 1 && demultiplexer.counters.continuityErrors == 0)
    }

    @Test func countsMarkedAndScrambledPackets() throws {
        var bad = stream
        let video = try packets(of: 0x100)
        bad[video[3] * TSPacket.size + 1] |= 0x80
        bad[video[20] * TSPacket.size + 3] |= 0x80
        let counters = RecordingSink.demultiplex(bad).demultiplexer.counters
        #expect(counters.transportErrors == 1 && counters.scrambledPackets == 1)
        #expect(counters.continuityErrors == 1)  // for the marked one: it was not there
    }

    @Test func joinsInTheMiddle() {
        let start = stream.count / TSPacket.size / 2 * TSPacket.size
        let (sink, demultiplexer) = RecordingSink.demultiplex(Array(stream[start...]))
        let all = Vector.lines("video", of: listing)
        #expect(!sink.video.isEmpty && sink.videoLines == all.suffix(sink.video.count))
        #expect(demultiplexer.counters.continuityErrors == 0 && demultiplexer.counters.damagedUnits == 0)
    }

    @Test func survivesGarbageBetweenAndInsidePackets() {
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        for start in stride(from: 0, to: stream.count, by: 5 * TSPacket.size) {
            var datagram = Array(stream[start..<min(stream.count, start + 5 * TSPacket.size)])
            let garbage = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 73) }
            if start == 40 * TSPacket.size { datagram.insert(contentsOf: garbage, at: 2 * TSPacket.size) }
            if start == 80 * TSPacket.size { datagram.insert(contentsOf: [0x47, 0, 1], at: 77) }
            datagram.withUnsafeBytes { demultiplexer.push(datagram: $0, to: &sink) }
        }
        demultiplexer.flush(to: &sink)
        let all = Vector.lines("video", of: listing)
        #expect(sink.videoLines.count == 75 && sink.videoLines.suffix(30) == all.suffix(30))
        let counters = demultiplexer.counters
        #expect(counters.resyncs == 2 && counters.malformedDatagrams == 2 && counters.skippedBytes == 203)
    }

    @Test func followsAMapThatChanges() throws {
        let video = ElementaryStream(type: 0x1B, pid: 0x100)
        let tables = { (version: UInt8, streams: [ElementaryStream]) -> [UInt8] in
            let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams).section(version: version)
            return PSITests.packets(map, pid: 0x1000, counter: version)
        }
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let visual = ElementaryStream(type: 0x10, pid: 0x200)
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        demultiplexer.push(PSITests.packets(association.section(version: 0), pid: 0), to: &sink)
        demultiplexer.push(tables(0, [video]) + tables(1, [video]) + tables(2, [visual]), to: &sink)
        #expect(sink.programs.map { $0?.video?.pid } == [0x100, nil])
        #expect(sink.programs.last??.unsupported == [visual])
        #expect(demultiplexer.counters.programChanges == 1)
        let other = PAT(transportStreamID: 1, programs: [PAT.Program(number: 2, mapPID: 0x1001)])
        demultiplexer.push(PSITests.packets(other.section(version: 1), pid: 0, counter: 1), to: &sink)
        #expect(sink.programs.count == 3 && sink.programs.last == .some(nil))
    }

    @Test func dropsAUnitBeyondItsLimit() {
        var demultiplexer = TSDemultiplexer(videoLimit: 1000)
        var sink = RecordingSink()
        demultiplexer.push(stream, to: &sink)
        let tooLong = Vector.lines("video", of: listing).filter { $0.size > 1_000 }.count
        #expect(tooLong > 0 && demultiplexer.counters.oversizedUnits == UInt64(tooLong))
    }

    @Test func allRandomAccessPointsAreFoundByTheScannerToo() throws {
        var scanner = RandomAccessScanner()
        var points: [UInt64?] = []
        try stream.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                guard let point = scanner.inspect(try TSPacket(bytes, at: offset), in: bytes) else { continue }
                points.append(point.pts)
            }
        }
        #expect(points == Vector.lines("video", of: listing).filter(\.isKey).map(\.pts))
    }

    @Test func theScannerNeedsNoFlag() throws {
        var plain = stream
        for packet in try packets(of: 0x100) where plain[packet * TSPacket.size + 3] & 0x20 != 0 {
            if plain[packet * TSPacket.size + 4] > 0 { plain[packet * TSPacket.size + 5] &= ~0x40 }
        }
        var scanner = RandomAccessScanner()
        let count = try plain.withUnsafeBytes { bytes in
            try stride(from: 0, to: bytes.count, by: TSPacket.size).filter {
                scanner.inspect(try TSPacket(bytes, at: $0), in: bytes) != nil
            }.count
        }
        #expect(count == 3)
    }

    /// PES headers extend over two packets, of which none is flagged.
    @Test func theScannerNeedsNoWholeHeader() throws {
        let made = { (start: ArraySlice<UInt8>, data: ArraySlice<UInt8>, isFirst: Bool) -> [UInt8] in
            let stuffing = [UInt8](repeating: 0xFF, count: 182 - data.count)
            let second = isFirst ? start[start.startIndex + 1] : start[start.startIndex + 1] & 0xBF
            let head = [0x47, second, start[start.startIndex + 2], 0x30, UInt8(183 - data.count), 0]
            return head + stuffing + data
        }
        var scanner = RandomAccessScanner()
        var count = 0
        for offset in stride(from: 0, to: stream.count, by: TSPacket.size) {
            let packet = stream[offset..<offset + TSPacket.size]
            let isSplit = packet[offset + 1] & 0x5F == 0x41 && packet[offset + 2] == 0
            let start = packet[offset + 3] & 0x20 == 0 ? offset + 4 : offset + 5 + Int(packet[offset + 4])
            let data = packet[start...]
            let pieces =
                isSplit
                ? [made(packet, data.prefix(12), true), made(packet, data.dropFirst(12), false)] : [Array(packet)]
            for piece in pieces {
                let point = try piece.withUnsafeBytes { scanner.inspect(try TSPacket($0), in: $0) }
                if point != nil { count += 1 }
            }
        }
        #expect(count == 3)
    }

    @Test func staysWithinDamagedBytes() {
        let piece = Array(stream.prefix(40 * TSPacket.size))
        for seed in 0..<Mutation.count(usual: 500) {
            var mutation = Mutation(seed: UInt64(seed))
            var bytes = piece
            for start in stride(from: 0, to: piece.count, by: 4 * TSPacket.size).reversed() {
                let range = start..<start + 4 * TSPacket.size
                bytes.replaceSubrange(range, with: mutation.damage(Array(piece[range])))
            }
            let (sink, demultiplexer) = RecordingSink.demultiplex(bytes)
            #expect(sink.videoLines.count <= 200 && demultiplexer.counters.packets <= 100, "seed \(seed)")
        }
    }
}
