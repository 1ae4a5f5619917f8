// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing

@testable import TransportStream

@Suite struct PSITests {
    /// ffmpeg 5.1.9's tables, taken from Vectors/testsrc2.ts of 2026.
    static let sdt: [UInt8] = [
        0x42, 0xF0, 0x23, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xFF, 0x01, 0xFF, 0x00, 0x01, 0xFC, 0x80, 0x12, 0x48, 0x10,
        0x01,
        0x06, 0x15, 0xC3, 0x9C, 0x62, 0x65, 0x72, 0x07, 0x4B, 0x61, 0x6E, 0x61, 0x6C, 0x2D, 0x31, 0xD1, 0x06, 0x00,
        0x1F,
    ]
    static let pat: [UInt8] = [
        0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2,
    ]

    /// A section in packets of its own, filled up.
    static func packets(_ section: [UInt8], pid: UInt16, counter: UInt8 = 0) -> [UInt8] {
        var rest = [0] + section
        var result: [UInt8] = []
        var (counter, start) = (counter, UInt8(0x40))
        while !rest.isEmpty {
            let part = rest.prefix(184)
            result += [0x47, start | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10 | counter & 0xF] + part
            result += Array(repeating: 0xFF, count: 184 - part.count)
            rest.removeFirst(part.count)
            (counter, start) = (counter + 1, 0)
        }
        return result
    }

    static func sections(_ packets: [UInt8], _ assembler: inout SectionAssembler) throws -> [[UInt8]] {
        var result: [[UInt8]] = []
        try packets.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                assembler.push(try TSPacket(bytes, at: offset), in: bytes) { result.append(Array($0)) }
            }
        }
        return result
    }

    @Test func readsAndWritesFFmpegsTables() throws {
        let association = try Self.pat.withUnsafeBytes { try PAT($0) }
        #expect(association == PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)]))
        #expect(association.section(version: 0) == Self.pat)
        let description = try Self.sdt.withUnsafeBytes { try SDT($0) }
        #expect(description.services == [SDT.Service(id: 1, type: 1, provider: "Über", name: "Kanal-1")])
        #expect(description.originalNetworkID == 0xFF01)
        #expect(description.section(version: 0) == Self.sdt)
    }

    @Test func readsTheMapThatItWrites() throws {
        let map = PMT(
            programNumber: 7, pcrPID: nil,
            streams: [
                ElementaryStream(type: 0x1B, pid: 0x100),
                ElementaryStream(type: 0x0F, pid: 0x101, language: "deu"),
                ElementaryStream(type: 0x06, pid: 0x102, language: "eng", registration: 0x4143_2D33),
                ElementaryStream(type: 0x86, pid: 0x103, registration: 0x4355_4549),
            ])
        let read = try map.section(version: 3).withUnsafeBytes { try PMT($0) }
        #expect(read == map)
        #expect(read.streams.map(\.codec) == [.h264, .adts, .ac3, .spliceInformation])
    }

    @Test(arguments: 0..<38) func throwsWhenCut(at length: Int) {
        let cut = Array(Self.sdt.prefix(length))
        #expect(throws: WireError.self) { try cut.withUnsafeBytes { try SDT($0) } }
    }

    @Test func everyChangedBitBreaksTheCheck() {
        for index in 3..<Self.pat.count {
            var bytes = Self.pat
            bytes[index] ^= 1
            #expect(throws: WireError.self) { try bytes.withUnsafeBytes { try PAT($0) } }
        }
    }

    private func map(_ content: [UInt8]) throws -> PMT {
        let section = PSISection.bytes(tableID: 2, marks: 0xB, tableExtension: 1, version: 0) { out in
            out.write(contentsOf: content)
        }
        return try section.withUnsafeBytes { try PMT($0) }
    }

    /// What ExoPlayer #7325 and MuMuDVB #173 met: a descriptor that reaches beyond its loop costs what is behind it in that
    /// loop, an entry that is cut what is missing of it.
    @Test func readsWhatIsRightOfAMap() throws {
        let picture: [UInt8] = [0x1B, 0xE1, 0, 0xF0, 0]
        let sound: [UInt8] = [0x0F, 0xE1, 1, 0xF0, 9, 0x0A, 4, 0x65, 0x6E, 0x67, 0, 0x52, 200, 7]
        let teletext: [UInt8] = [0x06, 0xE1, 2, 0xF0, 3, 0x56, 200, 0]
        let expected = [
            ElementaryStream(type: 0x1B, pid: 0x100), ElementaryStream(type: 0x0F, pid: 0x101, language: "eng"),
        ]
        for entries in [picture + sound, teletext + picture + sound, picture + teletext + sound] {
            let map = try map([0xE1, 0, 0xF0, 0] + entries)
            #expect(map.streams.filter { $0.type != 6 } == expected && !map.isWhole)
        }
        for cut in 1...4 {
            let map = try map([0xE1, 0, 0xF0, 0] + picture + sound.prefix(11) + [0x06, 0xE1, 2, 0xF0].prefix(cut))
            #expect(map.streams == expected && !map.isWhole, "\(cut) octets behind it")
        }
        let short = try map([0xE1, 0, 0xF0, 0] + picture + sound.prefix(11))
        #expect(short.streams == expected && !short.isWhole)
        // Of the program's own descriptors one is wrong: a registration of two octets.
        #expect(try map([0xE1, 0, 0xF0, 4, 5, 2, 1, 1] + picture).streams == [expected[0]])
        #expect(try map([0xE1, 0, 0xFF, 0xFF] + picture).streams.isEmpty)
    }

    /// The types from 0x80 on mean other things on discs than in cable systems.
    @Test func readsTypesOfItsOwnByTheProgramsRegistration() throws {
        let streams: [UInt8] = [0x80, 0xE1, 0, 0xF0, 0, 0x82, 0xE1, 1, 0xF0, 0, 0x81, 0xE1, 2, 0xF0, 0]
        #expect(try map([0xE1, 0, 0xF0, 0] + streams).streams.map(\.codec) == [.mpeg2Video, .subtitles, .ac3])
        let disc = try map([0xE1, 0, 0xF0, 6, 5, 4, 0x48, 0x44, 0x4D, 0x56] + streams)
        #expect(disc.streams.map(\.codec) == [.other(0x80), .other(0x82), .ac3] && disc.isWhole)
    }

    @Test func namesTheServicesThatCanBeRead() throws {
        let good: [UInt8] = [0, 1, 0xFC, 0x80, 6, 0x48, 4, 1, 0, 1, 0x41]
        let bad: [UInt8] = [0, 2, 0xFC, 0x80, 5, 0x48, 3, 1, 9, 0x42]
        for entries in [bad + good, good + bad, good + [0, 3, 0xFC]] {
            let section = PSISection.bytes(tableID: 0x42, marks: 0xF, tableExtension: 1, version: 0) { out in
                out.write(contentsOf: [0, 1, 0xFF] + entries)
            }
            let table = try section.withUnsafeBytes { try SDT($0) }
            #expect(table.services == [SDT.Service(id: 1, type: 1, provider: "", name: "A")] && !table.isWhole)
        }
    }

    @Test func assemblesOverPackets() throws {
        let programs = (1...200).map { PAT.Program(number: $0, mapPID: 0x20 + $0) }
        let section = PAT(transportStreamID: 9, programs: programs).section(version: 1)
        var assembler = SectionAssembler()
        let packets = Self.packets(section, pid: 0)
        #expect(packets.count == 5 * TSPacket.size)
        #expect(
            try Self.sections(packets + Self.packets(Self.pat, pid: 0, counter: 5), &assembler) == [section, Self.pat])
        #expect(assembler.abandonedSections == 0)
    }

    @Test func findsSeveralSectionsInOnePacket() throws {
        let packet = [0x47, 0x40, 0, 0x10, 0] + Self.pat + Self.sdt
        var assembler = SectionAssembler()
        let filled = packet + Array(repeating: 0xFF, count: TSPacket.size - packet.count)
        #expect(try Self.sections(filled, &assembler) == [Self.pat, Self.sdt])
    }

    @Test func abandonsASectionWithAGap() throws {
        let programs = (1...200).map { PAT.Program(number: $0, mapPID: 0x20 + $0) }
        var packets = Self.packets(PAT(transportStreamID: 9, programs: programs).section(version: 1), pid: 0)
        packets.removeSubrange(188..<376)
        var assembler = SectionAssembler()
        #expect(try Self.sections(packets, &assembler).isEmpty)
        #expect(assembler.abandonedSections == 1)
    }

    @Test func toleratesAPointerOutOfThePacket() throws {
        var packet = Self.packets(Self.pat, pid: 0)
        packet[4] = 200
        var assembler = SectionAssembler()
        #expect(try Self.sections(packet, &assembler).isEmpty)
        #expect(try Self.sections(Self.packets(Self.pat, pid: 0, counter: 1), &assembler) == [Self.pat])
    }

    @Test func countsABrokenCheckOnce() {
        var broken = Self.pat
        broken[9] ^= 1
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        demultiplexer.push(Self.packets(broken, pid: 0) + Self.packets(Self.pat, pid: 0, counter: 1), to: &sink)
        #expect(demultiplexer.counters.crcErrors == 1 && demultiplexer.counters.malformedSections == 0)
    }

    /// Some senders write a wrong CRC into each table: what comes again and again with the same octets is as it was
    /// sent.
    @Test func aChecksumThatIsAlwaysWrongSaysNothing() {
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: [ElementaryStream(type: 0x1B, pid: 0x100)])
        var association = PAT(transportStreamID: 1, programs: [.init(number: 1, mapPID: 0x1000)]).section(version: 0)
        var description = map.section(version: 0)
        association[association.count - 1] ^= 1
        description[description.count - 2] ^= 0x40
        var (demultiplexer, sink) = (TSDemultiplexer(), RecordingSink())
        for counter in 0..<6 as Range<UInt8> {
            demultiplexer.push(Self.packets(association, pid: 0, counter: counter), to: &sink)
            demultiplexer.push(Self.packets(description, pid: 0x1000, counter: counter), to: &sink)
            #expect((demultiplexer.program?.video?.pid == 0x100) == (counter >= 4), "\(counter)")
        }
        #expect(demultiplexer.counters.crcErrors == 10)
    }

    /// What a link damages is damaged otherwise each time.
    @Test func whatIsDamagedIsNoTable() {
        var (demultiplexer, sink) = (TSDemultiplexer(), RecordingSink())
        for seed in 0..<100 as Range<UInt8> {
            var damaged = Self.pat
            damaged[8 + Int(seed % 4)] ^= seed | 1
            demultiplexer.push(Self.packets(damaged, pid: 0, counter: seed), to: &sink)
        }
        #expect(demultiplexer.programs.isEmpty && demultiplexer.counters.crcErrors == 100)
    }

    @Test func staysWithinDamagedBytes() {
        let map = PMT(programNumber: 1, pcrPID: 1, streams: [ElementaryStream(type: 6, pid: 2, language: "eng")])
        for table in [Self.pat, Self.sdt, map.section(version: 0)] {
            for seed in 0..<Mutation.count() {
                var mutation = Mutation(seed: UInt64(seed))
                var bytes = mutation.damage(table).dropLast(4) + []
                if bytes.count > 3 {
                    bytes[1] = 0xB0 | UInt8((bytes.count + 1) >> 8 & 0xF)
                    bytes[2] = UInt8((bytes.count + 1) & 0xFF)
                }
                let crc = CRC32MPEG.checksum(of: bytes)  // right, so that what is behind it is read
                bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
                bytes.withUnsafeBytes { bytes in
                    _ = try? PAT(bytes)  // refusing is right, trapping is not
                    _ = try? PMT(bytes)
                    _ = try? SDT(bytes)
                }
            }
        }
    }
}
