// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

/// Streams that break the rules: bounded memory, a counter of their own, pictures again with the first good packets.
@Suite struct HostileStreamTests {
    private let stream: [UInt8]
    private let listing: String

    init() throws {
        stream = try Vector.bytes("testsrc2.ts")
        listing = try Vector.listing("testsrc2")
    }

    private static func map(_ streams: [ElementaryStream], version: UInt8, counter: UInt8) -> [UInt8] {
        let section = PMT(programNumber: 1, pcrPID: 0x100, streams: streams).section(version: version)
        return PSITests.packets(section, pid: 0x1000, counter: counter)
    }

    private static func start(_ streams: [ElementaryStream]) -> [UInt8] {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        return PSITests.packets(association.section(version: 0), pid: 0) + map(streams, version: 0, counter: 0)
    }

    static func withoutTables(_ stream: [UInt8]) -> [UInt8] {
        stride(from: 0, to: stream.count, by: TSPacket.size).map { stream[$0..<$0 + TSPacket.size] }
            .filter { !isTable($0) }.flatMap { $0 }
    }

    private static func isTable(_ packet: ArraySlice<UInt8>) -> Bool {
        let pid = UInt16(packet[packet.startIndex + 1] & 0x1F) << 8 | UInt16(packet[packet.startIndex + 2])
        return pid == 0 || pid == 0x1000
    }

    /// The stream with, each 50 packets, another of two maps.
    private func flapping(_ maps: [[ElementaryStream]]) -> [UInt8] {
        var result = Self.start(maps[0])
        for (index, place) in stride(from: 0, to: stream.count, by: TSPacket.size).enumerated() {
            if index % 50 == 49 {
                let turn = index / 50 + 1
                result += Self.map(maps[turn % 2], version: UInt8(turn % 2), counter: UInt8(turn % 16))
            }
            let packet = stream[place..<place + TSPacket.size]
            if !Self.isTable(packet) { result += packet }
        }
        return result
    }

    @Test func followsAMapThatFlapsWithoutLoss() {
        let streams = [ElementaryStream(type: 0x1B, pid: 0x100), ElementaryStream(type: 0x0F, pid: 0x101)]
        let more = streams + [ElementaryStream(type: 0x06, pid: 0x300)]
        let (sink, demultiplexer) = RecordingSink.demultiplex(flapping([streams, more]))
        #expect(sink.videoLines == Vector.lines("video", of: listing))
        #expect(sink.audioAgrees(with: Vector.lines("audio", of: listing)))
        #expect(demultiplexer.counters.programChanges == 6 && demultiplexer.counters.damagedUnits == 0)
    }

    /// Picture and sound change places in the map and back, and not on their PIDs: what is found there is another change.
    @Test func survivesPIDsThatSwap() {
        let streams = [ElementaryStream(type: 0x1B, pid: 0x100), ElementaryStream(type: 0x0F, pid: 0x101)]
        let swapped = [ElementaryStream(type: 0x1B, pid: 0x101), ElementaryStream(type: 0x0F, pid: 0x100)]
        let (sink, demultiplexer) = RecordingSink.demultiplex(flapping([streams, swapped]))
        let all = Vector.lines("video", of: listing)
        #expect(demultiplexer.counters.programChanges >= 6)
        #expect(sink.videoLines.filter { all.contains($0) }.count > 20)
        #expect(sink.video.filter(\.unit.isRandomAccess).allSatisfy { $0.unit.pts != nil })
    }

    @Test func takesTheCodecOfAPIDThatChangesIt() {
        let before = Self.start([ElementaryStream(type: 0x24, pid: 0x100)])
        let after = Self.map([ElementaryStream(type: 0x1B, pid: 0x100)], version: 1, counter: 1)
        let (sink, demultiplexer) = RecordingSink.demultiplex(before + after + Self.withoutTables(stream))
        #expect(sink.programs.map { $0?.video?.codec } == [.hevc, .h264])
        #expect(sink.videoLines == Vector.lines("video", of: listing) && demultiplexer.counters.programChanges == 1)
    }

    @Test func takesAMapOfManyStreams() {
        let many = (0..<200).map { ElementaryStream(type: $0 == 150 ? 0x1B : 0x05, pid: 0x200 + UInt16($0)) }
        let (sink, demultiplexer) = RecordingSink.demultiplex(Self.start(many))
        #expect(sink.programs.last??.video?.pid == 0x296 && demultiplexer.program?.streams.count == 200)
    }

    @Test func countsStreamsOnPIDsThatAreTaken() {
        let streams = [
            ElementaryStream(type: 0x1B, pid: 0x1000), ElementaryStream(type: 0x1B, pid: 0x100),
            ElementaryStream(type: 0x0F, pid: 0x100), ElementaryStream(type: 0x0F, pid: 0),
        ]
        let counters = RecordingSink.demultiplex(Self.start(streams) + stream).demultiplexer.counters
        #expect(counters.refusedStreams == 3 && counters.crcErrors == 0)
    }

    /// Sections of more and more programs, names and services: what is remembered ends somewhere.
    @Test func remembersNoMoreThanItsBounds() {
        var follower = ProgramFollower()
        for index in 0..<64 as Range<UInt16> {
            let programs = (0..<250).map { PAT.Program(number: index * 250 + $0 + 1, mapPID: 0x1000) }
            var section = Array(PAT(transportStreamID: 1, programs: programs).section(version: 0).dropLast(4))
            (section[6], section[7]) = (UInt8(index), 63)
            let crc = CRC32MPEG.checksum(of: section)
            section += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
            PSITests.packets(section, pid: 0, counter: UInt8(index * 6 % 16)).withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                    guard let packet = try? TSPacket(bytes, at: offset) else { continue }  // ours is one
                    _ = follower.push(packet, in: bytes)
                }
            }
        }
        #expect(follower.programs.count == ProgramFollower.maximumPrograms && follower.programs.first == 1)
    }

    /// Scrambled packets amid clear ones break the picture that they belong to, and only that.
    @Test func marksAPictureWithScrambledPackets() throws {
        var bad = stream
        let video = try stream.withUnsafeBytes { bytes in
            try (0..<bytes.count / TSPacket.size).filter { try TSPacket(bytes, at: $0 * TSPacket.size).pid == 0x100 }
        }
        bad[video[3] * TSPacket.size + 3] |= 0x80
        let (sink, demultiplexer) = RecordingSink.demultiplex(bad)
        #expect(sink.video.map(\.unit.isDamaged) == [true] + Array(repeating: false, count: 74))
        #expect(demultiplexer.counters.scrambledPackets == 1)
    }

    @Test func countsScrambledAndDisorderedPESPackets() {
        let picture: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
        var bytes = Self.start([ElementaryStream(type: 0x1B, pid: 0x100)])
        for (index, pts) in [1, 2, 3, 4].enumerated() as EnumeratedSequence<[Int64]> {
            var out = WireWriter()
            PESHeader.write(
                streamID: 0xE0, pts: pts * 3_600, dts: pts == 2 ? 9_000 : nil, dataCount: picture.count, to: &out)
            var unit = out.bytes + picture
            if pts == 3 { unit[6] |= 0x10 }
            var packet = WireWriter()
            _ = TSPacketWriter(pid: 0x100, startsUnit: true, counter: UInt8(index))
                .write(available: unit.count, to: &packet)
            bytes += packet.bytes + unit
        }
        let (sink, demultiplexer) = RecordingSink.demultiplex(bytes)
        #expect(sink.video.map(\.unit.pts) == [3_600, 7_200, 14_400] && sink.video[1].unit.dts == nil)
        #expect(demultiplexer.counters.disorderedTimes == 1 && demultiplexer.counters.scrambledUnits == 1)
    }

    @Test func countsOpusThatCannotBeTakenApart() throws {
        var bad = try Vector.bytes("h264-opus.ts")
        let packets = stride(from: 0, to: bad.count, by: TSPacket.size)
        let packet = try #require(packets.first { bad[$0 + 1] == 0x41 && bad[$0 + 2] == 1 })
        let unit = packet + 4 + (bad[packet + 3] & 0x20 == 0 ? 0 : 1 + Int(bad[packet + 4]))
        bad[unit + 9 + Int(bad[unit + 8])] = 0
        #expect(RecordingSink.demultiplex(bad).demultiplexer.counters.malformedAudio == 1)
    }
}
