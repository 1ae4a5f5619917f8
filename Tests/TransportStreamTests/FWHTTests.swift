// SPDX-License-Identifier: Apache-2.0
import Bytes
import Foundation
import TestSupport
import Testing

@testable import TransportStream

/// Pictures of the kernel's test codec as private data, a PES packet each.
@Suite struct FWHTTests {
    private static let stream = ElementaryStream(type: 0x06, pid: 0x100, registration: 0x4657_4854)
    /// Of the 16 of Vectors/bars.fwht those that stand for themselves.
    private static let intra = [0, 5, 10, 15]

    private let pictures: [[UInt8]]

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../CodecsTests/Vectors/bars.fwht").standardizedFileURL
        let stream = [UInt8](try Data(contentsOf: file))
        var pictures: [[UInt8]] = []
        var place = 0
        while place < stream.count {
            let size = try stream[place...].withUnsafeBytes { try FWHTHeader($0).size }
            pictures.append(Array(stream[place..<place + FWHTHeader.octets + Int(size)]))
            place += FWHTHeader.octets + Int(size)
        }
        self.pictures = pictures
    }

    private static func time(_ number: Int) -> UInt64 { UInt64(90_000 + number * 3_600) }

    private static func packets(_ pictures: [[UInt8]], isBounded: Bool = true) -> [UInt8] {
        let units = pictures.enumerated().map { number, picture in
            var out = WireWriter()
            PESHeader.write(
                streamID: 0xE0, pts: Int64(time(number)), dts: nil, dataCount: isBounded ? picture.count : 1 << 16,
                to: &out)
            return out.bytes + picture
        }
        return Unaligned.packets(units, of: stream)
    }

    private static func points(_ stream: [UInt8]) throws -> [UInt64?] {
        var scanner = RandomAccessScanner()
        return try stream.withUnsafeBytes { bytes in
            try stride(from: 0, to: bytes.count, by: TSPacket.size).compactMap {
                scanner.inspect(try TSPacket(bytes, at: $0), in: bytes).map(\.pts)
            }
        }
    }

    @Test func readsTheDriversHeaders() throws {
        let headers = try pictures.map { try $0.withUnsafeBytes { try FWHTHeader($0) } }
        #expect(headers.count == 16 && headers.allSatisfy { $0.width == 640 && $0.height == 360 })
        #expect(headers.indices.filter { headers[$0].isIntra } == Self.intra)
    }

    @Test func throwsWhenCut() {
        for count in 0..<FWHTHeader.octets {
            let part = Array(pictures[0].prefix(count))
            #expect(throws: WireError.self) { try part.withUnsafeBytes { try FWHTHeader($0) } }
        }
        // Cut behind its header it is a picture, if none to begin with.
        for count in [FWHTHeader.octets, pictures[0].count - 1] {
            let part = Array(pictures[0].prefix(count))
            #expect(part.withUnsafeBytes { PictureContent(.fwht, $0) } == PictureContent())
        }
        #expect(pictures[0].withUnsafeBytes { PictureContent(.fwht, $0).isEntryPoint })
    }

    @Test(arguments: Effort.seeds(200)) func mutationNeverTraps(seed: UInt64) {
        var mutation = Mutation(seed: seed)
        let damaged = mutation.damage(Array(pictures[0].prefix(60)))
        damaged.withUnsafeBytes { bytes in
            let header = try? FWHTHeader(bytes)  // refusing is right, trapping is not
            #expect(header == nil || damaged.count >= FWHTHeader.octets)
            _ = PictureContent(.fwht, bytes)
        }
    }

    /// What has no registration, or another, is nobody's.
    @Test func aMapNamesIt() throws {
        let others = [nil, 0x4657_4855].map { ElementaryStream(type: 0x06, pid: 0x101, registration: $0) }
        let map = PMT(programNumber: 1, pcrPID: nil, streams: others + [Self.stream])
        let read = try map.section(version: 0).withUnsafeBytes { try PMT($0) }
        #expect(read.streams.map(\.codec) == [.other(0x06), .other(0x06), .fwht])
        let program = Program(number: 1, mapPID: 0x1000, pcrPID: nil, streams: read.streams)
        #expect(program.video == Self.stream && program.audio == nil && program.unsupported.isEmpty)
    }

    @Test(arguments: [true, false]) func aPESPacketIsAPicture(isBounded: Bool) throws {
        let stream = Self.packets(pictures, isBounded: isBounded)
        let (sink, demultiplexer) = RecordingSink.demultiplex(stream)
        #expect(sink.video.map(\.bytes) == pictures)
        #expect(sink.video.map(\.unit.pts) == pictures.indices.map(Self.time))
        #expect(sink.video.indices.filter { sink.video[$0].unit.isRandomAccess } == Self.intra)
        #expect(try Self.points(stream) == Self.intra.map(Self.time))
        var clean = TSCounters()
        clean.packets = demultiplexer.counters.packets
        #expect(demultiplexer.counters == clean)
    }

    @Test func whatIsLostDamagesItsPicture() throws {
        var stream = Self.packets(pictures)
        stream.removeSubrange(10 * TSPacket.size..<11 * TSPacket.size)  // of the first picture, of 65 packets
        let (sink, demultiplexer) = RecordingSink.demultiplex(stream)
        #expect(sink.video.map(\.unit.isDamaged) == [true] + Array(repeating: false, count: 15))
        #expect(sink.video.indices.filter { sink.video[$0].unit.isRandomAccess } == Array(Self.intra.dropFirst()))
        #expect(demultiplexer.counters.damagedUnits == 1 && demultiplexer.counters.continuityErrors == 1)
    }

    @Test func whatIsNoPictureIsCounted() {
        var wrong = pictures
        wrong[3][7] ^= 1
        wrong[8] = []
        let (sink, demultiplexer) = RecordingSink.demultiplex(Self.packets(wrong))
        #expect(sink.video.count == 14 && demultiplexer.counters.malformedPES == 2)
    }

    @Test func staysWithinDamagedBytes() {
        let piece = Array(Self.packets(pictures).prefix(100 * TSPacket.size))
        for seed in 0..<Mutation.count(usual: 300) {
            var mutation = Mutation(seed: UInt64(seed))
            let bytes = mutation.damagePackets(piece)
            let (sink, _) = RecordingSink.demultiplex(bytes)
            #expect(sink.video.map(\.bytes.count).reduce(0, +) <= bytes.count, "seed \(seed)")
        }
    }

    @Test func survivesTruncationAnywhere() {
        let piece = Array(Self.packets(pictures).prefix(5 * TSPacket.size))
        for length in 0..<piece.count {
            let (sink, _) = RecordingSink.demultiplex(Array(piece.prefix(length)))
            #expect(sink.video.count <= 1 && sink.video.allSatisfy(\.unit.isDamaged))
        }
    }
}
