// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct PESTests {
    /// ffmpeg 5.1.9: PTS 133200, DTS 126000, of Vectors/testsrc2.ts; a delimiter behind it.
    static let captured: [UInt8] = [
        0, 0, 1, 0xE0, 0, 0, 0x80, 0xC0, 0x0A, 0x31, 0x00, 0x09, 0x10, 0xA1, 0x11, 0x00, 0x07, 0xD8, 0x61, 0, 0, 0, 1,
        9, 0xF0,
    ]

    @Test func readsWhatFFmpegSends() throws {
        let header = try Self.captured.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect(header.streamID == 0xE0 && header.packetLength == nil && header.data == 19..<25)
        #expect(header.pts == 133_200 && header.dts == 126_000)
    }

    @Test(arguments: [0, 1, 0x7FFF, 0x8000, 0x3FFF_FFFF, 0x4000_0000, 0x1_FFFF_FFFF] as [Int64])
    func readsTheTimesItWrites(time: Int64) throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xE0, pts: time, dts: time - 3600, dataCount: 100, to: &out)
        let header = try out.bytes.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect(header.pts == UInt64(time) && header.dts == UInt64(bitPattern: time - 3600) & 0x1_FFFF_FFFF)
        #expect(header.isDataAligned && header.packetLength == 113)
    }

    @Test(arguments: 0..<19) func throwsWhenCut(at length: Int) {
        let cut = Array(Self.captured.prefix(length))
        #expect(throws: WireError.self) { try cut.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) } }
    }

    /// What OvenMediaEngine #2215 and moblin #490 saw: bit 33 of an old clock in the prefix of the time stamps. The mark
    /// before the flags and the markers between the bits of a time stamp are as good.
    @Test(arguments: [6, 9, 11, 13, 14, 16, 18]) func readsTimesBetweenWrongMarks(place: Int) throws {
        var bytes = Self.captured
        bytes[place] ^= place == 6 ? 0x40 : place == 9 || place == 14 ? 0xF0 : 1
        let header = try bytes.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect(header.pts == 133_200 && header.dts == 126_000 && header.data == 19..<25)
    }

    @Test func refusesAnotherStartCode() {
        var bytes = Self.captured
        bytes[2] ^= 1
        #expect(throws: WireError.self) { try bytes.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) } }
    }

    /// A header of 4 or 9 octets has no room for the time stamps that its flags name; the flags 01 name none.
    @Test(arguments: [(0xC0, 4, false), (0xC0, 9, true), (0x40, 10, false)] as [(UInt8, UInt8, Bool)])
    func takesATimeWithoutRoomAsNotSent(flags: UInt8, length: UInt8, hasPresentation: Bool) throws {
        var bytes = Self.captured
        (bytes[7], bytes[8]) = (flags, length)
        let header = try bytes.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect((header.pts != nil) == hasPresentation && header.dts == nil)
        #expect(header.data == 9 + Int(length)..<25)
    }

    @Test func knowsUnitsWithoutTheOptionalPart() throws {
        let padding: [UInt8] = [0, 0, 1, 0xBE, 0, 2, 0xFF, 0xFF, 9]
        let header = try padding.withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect(header.data == 6..<8 && header.pts == nil)
    }

    private func units(_ packets: [UInt8], _ assembler: inout PESAssembler) throws -> [(PESUnit, [UInt8])] {
        var result: [(PESUnit, [UInt8])] = []
        try packets.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                let packet = try TSPacket(bytes, at: offset)
                assembler.push(packet, in: bytes, lost: false, mark: 0) { result.append(($0, Array($1))) }
            }
        }
        return result
    }

    private func packet(_ payload: [UInt8], start: Bool) -> [UInt8] {
        let stuffing = 183 - payload.count
        return [0x47, start ? 0x41 : 0x01, 0, 0x30, UInt8(stuffing)] + (stuffing > 0 ? [0] : [])
            + Array(repeating: 0xFF, count: max(0, stuffing - 1)) + payload
    }

    @Test func emitsAUnitOfKnownLengthAtItsEnd() throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: 9, dts: nil, dataCount: 4, to: &out)
        var assembler = PESAssembler()
        #expect(try units(packet(out.bytes + [1, 2], start: true), &assembler).isEmpty)
        let done = try units(packet([3, 4], start: false), &assembler)
        #expect(done.map(\.1) == [[1, 2, 3, 4]] && done.first?.0.isDamaged == false)
    }

    /// Packets that are missing are told by their counters.
    @Test func aUnitShorterThanAnnouncedIsWhole() throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: 9, dts: nil, dataCount: 4, to: &out)
        var assembler = PESAssembler()
        let done = try units(
            packet(out.bytes + [1], start: true) + packet(out.bytes + [1, 2, 3, 4], start: true), &assembler)
        #expect(done.map(\.1) == [[1], [1, 2, 3, 4]] && done.allSatisfy { !$0.0.isDamaged })
    }

    /// What comes behind the announced end is a unit of its own, with the octets behind it in its last packet; also
    /// where the length is too small for the header. Of the next one nothing that is announced counts.
    @Test(arguments: [10, 2] as [UInt8]) func keepsWhatComesBehindTheAnnouncedEnd(announced: UInt8) throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: 9, dts: nil, dataCount: 8, to: &out)
        var begin = out.bytes + [1, 2, 3, 4]
        begin[5] = announced
        var assembler = PESAssembler()
        var packets: [UInt8] = []
        for _ in 0..<2 {
            packets += packet(begin, start: true) + packet([5, 6], start: false) + packet([7, 8], start: false)
        }
        let done = try units(packets + packet(out.bytes + [1], start: true), &assembler)
        let first: [UInt8] = announced == 10 ? [1, 2] : [1, 2, 3, 4]
        let rest: [UInt8] = announced == 10 ? [3, 4, 5, 6, 7, 8] : [5, 6, 7, 8]
        #expect(done.map(\.1) == [first, rest, [1, 2, 3, 4, 5, 6, 7, 8]])
        #expect(done.map(\.0.pts) == [9, nil, 9] && done.allSatisfy { !$0.0.isDamaged })
    }

    /// Behind the end of a stream come packets of another one, which has begun before.
    @Test func anotherStreamIsNoRestOfTheOneBefore() throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: 9, dts: nil, dataCount: 2, to: &out)
        let whole = packet(out.bytes + [1, 2], start: true)
        var assembler = PESAssembler()
        #expect(try units(whole, &assembler).map(\.1) == [[1, 2]])
        assembler.forget()
        let next = try units(packet([7, 8], start: false) + whole, &assembler)
        #expect(next.map(\.1) == [[1, 2]])
    }

    /// Padding behind a unit, of which nothing more comes, is left out.
    @Test func leavesOutWhatFollowsInTheLastPacketAlone() throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: 9, dts: nil, dataCount: 2, to: &out)
        var assembler = PESAssembler()
        let one = packet(out.bytes + [1, 2, 0xFF, 0xFF], start: true)
        #expect(try units(one + one, &assembler).map(\.1) == [[1, 2], [1, 2]])
    }

    @Test func countsAHeaderThatCannotBeRead() throws {
        var assembler = PESAssembler()
        let done = try units(packet([0, 0, 2, 1, 0, 0], start: true) + packet(Self.captured, start: true), &assembler)
        #expect(done.isEmpty && assembler.counters.malformedUnits == 1)
    }

    @Test func countsAUnitThatIsScrambled() throws {
        var scrambled = Self.captured
        scrambled[6] |= 0x20
        var assembler = PESAssembler()
        let done = try units(packet(scrambled, start: true) + packet(Self.captured, start: true), &assembler)
        #expect(done.isEmpty && assembler.counters.scrambledUnits == 1)
    }

    /// A decoding time of which the presentation is 40 ms before, over the wrap too.
    @Test(arguments: [90_000, 1_000] as [Int64]) func ignoresADecodingTimeBehindThePresentation(pts: Int64) throws {
        var out = WireWriter()
        PESHeader.write(streamID: 0xC0, pts: pts, dts: pts + 3_600, dataCount: 4, to: &out)
        var assembler = PESAssembler()
        let done = try units(packet(out.bytes + [1, 2, 3, 4], start: true), &assembler)
        #expect(done.first?.0.pts == UInt64(pts) && done.first?.0.dts == nil)
        #expect(assembler.counters.disorderedTimes == 1)
        PESHeader.write(streamID: 0xC0, pts: pts, dts: pts - 3_600, dataCount: 4, to: &out)
        let header = try out.bytes.dropFirst(19).withUnsafeBytes { try PESHeader($0, in: 0..<$0.count) }
        #expect(!header.isDisordered)
    }

    @Test func staysWithinDamagedBytes() {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            mutation.damage(Self.captured).withUnsafeBytes { bytes in
                guard let header = try? PESHeader(bytes, in: 0..<bytes.count) else { return }  // refusing is right
                #expect(header.data.clamped(to: 0..<bytes.count) == header.data, "seed \(seed)")
            }
        }
    }
}
