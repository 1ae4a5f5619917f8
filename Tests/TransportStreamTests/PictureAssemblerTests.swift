// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@testable import TransportStream

@Suite struct PictureAssemblerTests {
    private var counter: UInt8 = 0

    /// One PES packet in transport packets of which the n-th carries the mark `mark` + n.
    private mutating func push(
        _ data: [UInt8], pts: Int64?, to assembler: inout PictureAssembler, isBounded: Bool = false,
        announced: Int? = nil, mark: UInt64 = 0, lost: Bool = false
    ) throws -> [PESUnit] {
        var out = WireWriter()
        if let pts {
            let count = announced ?? (isBounded ? data.count : 1 << 16)
            PESHeader.write(streamID: 0xE0, pts: pts, dts: nil, dataCount: count, to: &out)
        } else {
            out.write(contentsOf: [0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0])
        }
        let unit = out.bytes + data
        var packets = WireWriter()
        var rest = unit[...]
        while !rest.isEmpty {
            let packet = TSPacketWriter(pid: 0x100, startsUnit: rest.count == unit.count, counter: counter)
            let count = packet.write(available: rest.count, to: &packets)
            packets.write(contentsOf: rest.prefix(count))
            rest = rest.dropFirst(count)
            counter = (counter + 1) & 0xF
        }
        var result: [PESUnit] = []
        try packets.bytes.withUnsafeBytes { bytes in
            for (index, offset) in stride(from: 0, to: bytes.count, by: TSPacket.size).enumerated() {
                assembler.push(
                    try TSPacket(bytes, at: offset), in: bytes, lost: lost && index == 0, mark: mark + UInt64(index)
                ) { unit, _ in result.append(unit) }
            }
        }
        return result
    }

    private func places(_ codec: StreamCodec, _ bytes: [UInt8]) -> [Int] {
        var boundaries = PictureBoundaries(codec)
        return bytes.withUnsafeBytes { bytes in
            var result: [Int] = []
            var code = StartCode.offset(in: bytes, from: 0)
            while code < bytes.count {
                if boundaries.begins(at: code, in: bytes, isFirst: code == 0) { result.append(code) }
                code = StartCode.offset(in: bytes, from: code + 3)
            }
            return result
        }
    }

    @Test func keepsASecondFieldWithItsFirst() {
        let delimiter: [UInt8] = [0, 0, 1, 9, 0xF0]
        let slice: [UInt8] = [0, 0, 1, 0x41, 0x88]
        #expect(places(.h264, delimiter + slice + slice + delimiter + slice) == [0, 15])
        #expect(places(.h264, slice + slice + delimiter + slice) == [0, 5, 10])
        let later: [UInt8] = [0, 0, 1, 0x41, 0x48]  // a slice of another macroblock
        #expect(places(.h264, later + slice + later + [0, 0, 1, 0x67, 1] + slice) == [5, 15])
    }

    @Test func dividesHEVC() {
        let parameters: [UInt8] = [0, 0, 1, 0x40, 1, 0, 0, 0, 1, 0x42, 1, 0]
        let first: [UInt8] = [0, 0, 1, 0x02, 1, 0x80]
        let later: [UInt8] = [0, 0, 1, 0x02, 1, 0x00]
        let suffix: [UInt8] = [0, 0, 1, 0x50, 1, 0]
        #expect(places(.hevc, later + parameters + first + later + suffix + first) == [6, 36])
        let layer: [UInt8] = [0, 0, 1, 0x02, 9, 0x80]  // nuh_layer_id 1
        #expect(places(.hevc, first + layer + first) == [0, 12])
    }

    private func picture(_ reference: UInt8, type: UInt8, structure: UInt8?) -> [UInt8] {
        let header: [UInt8] = [0, 0, 1, 0, reference >> 2, reference << 6 | type << 3, 0xFF, 0xF8]
        let coding: [UInt8] = structure.map { [0, 0, 1, 0xB5, 0x8F, 0xFF, 0xF0 | $0, 0x41, 0x80] } ?? []
        return header + coding + [0, 0, 1, 1, 0x12, 0x34, 0, 0, 1, 2, 0x12]
    }

    @Test func dividesMPEGVideo() {
        let sequence: [UInt8] = [0, 0, 1, 0xB3, 10, 0, 90, 51, 0xFF, 0xFF, 0xE0, 0x18]
        let group: [UInt8] = [0, 0, 1, 0xB8, 0, 8, 0, 0x40]
        let frame = picture(0, type: 1, structure: 3)
        #expect(places(.mpeg2Video, sequence + group + frame + frame) == [0, 48])
        #expect(places(.mpeg1Video, sequence + picture(0, type: 1, structure: nil) + group + frame) == [0, 31])
        // Two fields of a frame, then a frame, then the first field of another and, its second lost, the first of the next.
        let top = picture(1, type: 1, structure: 1)
        let bottom = picture(1, type: 2, structure: 2)
        #expect(places(.mpeg2Video, sequence + top + bottom + frame) == [0, 68])
        #expect(places(.mpeg2Video, top + picture(2, type: 2, structure: 1)) == [0, 28])
        #expect(places(.mpeg2Video, bottom + picture(2, type: 2, structure: 1) + group) == [0, 28, 56])
    }

    @Test func knowsWhereMPEGVideoCanBegin() {
        let sequence: [UInt8] = [0, 0, 1, 0xB3, 10, 0, 90, 51, 0xFF, 0xFF, 0xE0, 0x18]
        let content = { (bytes: [UInt8]) in bytes.withUnsafeBytes { PictureContent(.mpeg2Video, $0) } }
        #expect(content(sequence + picture(0, type: 1, structure: 3)).isEntryPoint)
        #expect(content(sequence + picture(0, type: 1, structure: 1) + picture(0, type: 2, structure: 2)).isEntryPoint)
        #expect(!content(sequence + picture(0, type: 2, structure: 3)).isEntryPoint)
        #expect(!content(picture(0, type: 1, structure: 3)).isEntryPoint)
    }

    @Test mutating func saysWithWhichMarkAPictureBegan() throws {
        var assembler = PictureAssembler(limit: 1 << 20)
        let long = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88] + Array(repeating: 7 as UInt8, count: 500)
        #expect(try push(long, pts: 1, to: &assembler, mark: 10).isEmpty)
        // Two in one PES packet: the second begins three packets later.
        #expect(try push(long + long, pts: 2, to: &assembler, mark: 20).map(\.mark) == [10, 20])
        #expect(try push(long, pts: 3, to: &assembler, mark: 30).map(\.mark) == [22])
    }

    /// Of a picture of more than 64 KiB, some senders announce what is left of its length in 16 bits.
    @Test mutating func keepsWhatComesBehindTheAnnouncedEnd() throws {
        var assembler = PictureAssembler(limit: 1 << 20)
        let picture = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88] + Array(repeating: 7 as UInt8, count: 500)
        var times: [[UInt64?]] = []
        for pts in 1...6 as ClosedRange<Int64> {
            times.append(try push(picture, pts: pts, to: &assembler, announced: 300).map(\.pts))
        }
        #expect(times == [[], [1], [2], [3], [4], [5]])
        #expect(assembler.bufferedOctets == picture.count && assembler.counters.damagedUnits == 0)
        // Octets 0xFF behind the end are none of the picture's.
        let filled = picture + Array(repeating: 0xFF as UInt8, count: 30)
        _ = try push(filled, pts: 7, to: &assembler, announced: picture.count)
        #expect(assembler.bufferedOctets == picture.count)
    }

    @Test mutating func deliversAtTheEndOfAPacketOfKnownLength() throws {
        var assembler = PictureAssembler(limit: 1 << 20)
        let picture: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
        var times: [[UInt64?]] = []
        for pts in 1...4 as ClosedRange<Int64> {
            times.append(try push(picture, pts: pts, to: &assembler, isBounded: true).map(\.pts))
        }
        #expect(times == [[], [1, 2], [3], [4]])
        // A picture goes on in a packet of its own: from there on their ends say nothing.
        #expect(try push([0, 0, 1, 0x41, 0x48], pts: nil, to: &assembler).isEmpty)
        #expect(try push(picture, pts: 5, to: &assembler, isBounded: true).isEmpty)
        #expect(try push([0, 0, 1, 0x41, 0x48], pts: nil, to: &assembler).isEmpty)
        #expect(try push(picture, pts: 6, to: &assembler, isBounded: true).map(\.pts) == [5])
    }

    @Test mutating func dropsWhatNeverEnds() throws {
        var assembler = PictureAssembler(limit: 10_000)
        let start: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
        #expect(try push(start + Array(repeating: 7, count: 500_000), pts: 1, to: &assembler).isEmpty)
        #expect(assembler.counters.oversizedUnits == 1 && assembler.bufferedOctets < 10)
        #expect(try push(start, pts: 2, to: &assembler).isEmpty)
        #expect(try push(start, pts: 3, to: &assembler).map(\.pts) == [2])
    }

    /// A PES packet of padding between two that hold one picture.
    @Test mutating func passesOverPadding() throws {
        var assembler = PictureAssembler(limit: 10_000)
        let picture: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
        #expect(try push(picture, pts: 1, to: &assembler).isEmpty)
        let padding: [UInt8] =
            [0x47, 0x41, 0, 0x10 | counter, 0, 0, 1, 0xBE, 0, 178] + Array(repeating: 0xFF, count: 178)
        counter = (counter + 1) & 0xF
        try padding.withUnsafeBytes { bytes in
            assembler.push(try TSPacket(bytes), in: bytes, lost: false, mark: 0) { _, _ in }
        }
        #expect(try push(picture, pts: 2, to: &assembler).map(\.isDamaged) == [false])
        #expect(assembler.counters == AssemblyCounters())
    }

    @Test mutating func marksAPictureCutShort() throws {
        var assembler = PictureAssembler(limit: 10_000)
        let picture: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88] + Array(repeating: 7, count: 200)
        #expect(try push(picture, pts: 1, to: &assembler).isEmpty)
        #expect(try push(picture, pts: 2, to: &assembler, lost: true).map(\.isDamaged) == [true])
        #expect(try push(picture, pts: 3, to: &assembler).map(\.isDamaged) == [false])
        #expect(assembler.counters.damagedUnits == 1)
    }
}
