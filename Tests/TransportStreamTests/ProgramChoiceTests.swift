// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@testable import TransportStream

@Suite struct ProgramChoiceTests {
    static let streams = [
        ElementaryStream(type: 0x1B, pid: 0x100),
        ElementaryStream(type: 0x0F, pid: 0x101, language: "eng"),
        ElementaryStream(type: 0x0F, pid: 0x102, language: "ger", audioType: 3),
        ElementaryStream(type: 0x11, pid: 0x103, language: "ger"),
    ]

    private func program(_ language: String?, _ streams: [ElementaryStream] = streams) -> Program {
        Program(number: 1, mapPID: 0x1000, pcrPID: 0x100, streams: streams, audioLanguage: language)
    }

    @Test(
        arguments: [
            (nil, 0x101), ("eng", 0x101), ("deu", 0x103), ("GER", 0x103), ("fra", 0x101), ("", 0x101),
        ] as [(String?, UInt16)]) func choosesTheLanguage(language: String?, pid: UInt16)
    {
        #expect(program(language).audio?.pid == pid)
    }

    /// Audio description is never the first choice, not even in the wanted language: most is the description alone.
    @Test func takesACommentaryWhereThereIsNothingElse() {
        #expect(program("deu", Array(Self.streams[0...2])).audio?.pid == 0x101)
        #expect(program("eng", [Self.streams[0], Self.streams[2]]).audio?.pid == 0x102)
        let narration = ElementaryStream(type: 0x0F, pid: 0x104, language: "nar")
        #expect(program(nil, [narration] + Self.streams).audio?.pid == 0x101)
    }

    /// Audio description as broadcasters signal it: supplementary audio with and without a language, the service type of
    /// AC-3 and of Enhanced AC-3, the component type of AAC, and the languages of Great Britain and France.
    @Test(
        arguments: [
            ([0x7F, 2, 0x06, 0x84], true),
            ([0x0A, 4, 0x65, 0x6E, 0x67, 0, 0x7F, 5, 0x06, 0x05, 0x65, 0x6E, 0x67], true),
            ([0x7F, 2, 0x06, 0x8C], true), ([0x7F, 2, 0x06, 0x80], false), ([0x7F, 2, 0x06, 0x88], false),
            ([0x6A, 2, 0x80, 0x12], true), ([0x6A, 2, 0x80, 0x42], false), ([0x6A, 1, 0x00], false),
            ([0x7A, 2, 0x80, 0x92], true), ([0x7C, 3, 0x58, 0x80, 0x48], true), ([0x7C, 3, 0x58, 0x80, 0x03], false),
            ([0x7C, 1, 0x58], false), ([0x0A, 4, 0x4E, 0x41, 0x52, 0], true), ([0x0A, 4, 0x71, 0x61, 0x64, 0], true),
            ([0x0A, 4, 0x65, 0x6E, 0x67, 3], true), ([0x0A, 4, 0x65, 0x6E, 0x67, 0], false),
        ] as [([UInt8], Bool)]) func knowsAudioDescription(content: [UInt8], isDescription: Bool) throws
    {
        let entry = [0x06, 0xE1, 0x01, 0xF0, UInt8(content.count)] + content
        var isWhole = true
        let stream = try entry.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try ElementaryStream(from: &reader, isWhole: &isWhole)
        }
        #expect(stream.isAudioDescription == isDescription && isWhole)
    }

    /// ATSC has the service in its own descriptors, of which the tags are anybody's in other streams.
    @Test(
        arguments: [
            (0x81, [0x81, 3, 0x08, 0x2C, 0x4F], true), (0x81, [0x81, 3, 0x08, 0x2C, 0x0F], false),
            (0x06, [0x81, 3, 0x08, 0x2C, 0x4F], false), (0x81, [0x81, 1, 0x08], false),
            (0x87, [0xCC, 2, 0xC0, 0x90], true), (0x87, [0xCC, 2, 0xC0, 0x80], false), (0x87, [0xCC, 0], false),
        ] as [(UInt8, [UInt8], Bool)])
    func knowsAudioDescriptionOfATSC(type: UInt8, content: [UInt8], isDescription: Bool) throws {
        let entry = [type, 0xE1, 0x01, 0xF0, UInt8(content.count)] + content
        var isWhole = true
        let stream = try entry.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try ElementaryStream(from: &reader, isWhole: &isWhole)
        }
        #expect(stream.isAudioDescription == isDescription && isWhole)
    }

    /// A map that lists itself, the PAT, null packets, and one PID as picture and sound.
    @Test func refusesPIDsThatAreTaken() {
        let pids: [UInt16] = [0x1000, 0, 1, 0x1FFF]
        let streams =
            pids.map { ElementaryStream(type: 0x1B, pid: $0) } + [
                ElementaryStream(type: 0x24, pid: 0x200), ElementaryStream(type: 0x0F, pid: 0x200),
            ]
        let refusing = program(nil, streams)
        #expect(refusing.video?.pid == 0x200 && refusing.audio == nil && refusing.refusedStreams == 5)
        #expect(program(nil).refusedStreams == 0)
    }

    /// Korean cable has its map on 0x10, pictures on 0x11 and sound on 0x14; others have media where DVB has its guide.
    @Test(arguments: [0x10, 0x11, 0x12, 0x14] as [UInt16]) func takesMediaWhereDVBHasTables(pid: UInt16) {
        let taken = program(nil, [ElementaryStream(type: 0x1B, pid: pid), ElementaryStream(type: 0x0F, pid: pid + 8)])
        #expect(taken.video?.pid == pid && taken.audio?.pid == pid + 8 && taken.refusedStreams == 0)
    }

    /// The map itself is on such a PID, and a stream that is not played on another: neither is read as a table of DVB.
    @Test(arguments: [0x10, 0x11, 0x12, 0x14] as [UInt16]) func readsNoOtherTableOnAPIDThatIsTaken(pid: UInt16) {
        let other: UInt16 = pid == 0x11 ? 0x12 : 0x11
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: pid)])
        let map = PMT(
            programNumber: 1, pcrPID: 0x100, streams: Self.streams + [ElementaryStream(type: 0x06, pid: other)])
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        demultiplexer.push(PSITests.packets(association.section(version: 0), pid: 0), to: &sink)
        demultiplexer.push(PSITests.packets(map.section(version: 0), pid: pid), to: &sink)
        #expect(sink.programs.map { $0?.video?.pid } == [0x100])
        var broken = PSITests.sdt
        broken[9] ^= 1
        demultiplexer.push(PSITests.packets(broken, pid: other), to: &sink)
        #expect(demultiplexer.counters.crcErrors == 0 && demultiplexer.counters.malformedSections == 0)
    }

    @Test(
        arguments: [
            ([0x6A, 1, 0], StreamCodec.ac3), ([0x7A, 1, 0], .enhancedAC3), ([0x7B, 1, 0], .other(0x82)),
            ([0x7C, 1, 0], .latm),
            ([0x05, 4, 0x4F, 0x70, 0x75, 0x73, 0x7F, 2, 0x80, 6], .opus), ([0x05, 4, 0x48, 0x45, 0x56, 0x43], .hevc),
            ([0x7F, 1, 0x80], .other(0x06)), ([], .other(0x06)),
        ] as [([UInt8], StreamCodec)]) func readsTheDescriptorsOfPrivateData(content: [UInt8], codec: StreamCodec)
        throws
    {
        let entry = [0x06, 0xE1, 0x01, 0xF0, UInt8(content.count)] + content
        let stream = try entry.withUnsafeBytes { bytes in
            var (reader, isWhole) = (WireReader(bytes), true)
            return try ElementaryStream(from: &reader, isWhole: &isWhole)
        }
        #expect(stream.codec == codec && stream.channels == (codec == .opus ? 6 : 0))
    }

    @Test func writesWhatItReads() throws {
        let opus = ElementaryStream(
            type: 0x06, pid: 0x104, language: "fra", audioType: 2, registration: 0x4F70_7573, channels: 8)
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: Self.streams + [opus])
        #expect(try map.section(version: 1).withUnsafeBytes { try PMT($0) } == map)
    }

    /// Two programs: the second one's pictures are HEVC.
    static func tables(counter: UInt8 = 0) -> [UInt8] {
        let association = PAT(
            transportStreamID: 1,
            programs: [PAT.Program(number: 1, mapPID: 0x1000), PAT.Program(number: 7, mapPID: 0x1001)])
        let other = PMT(programNumber: 7, pcrPID: 0x200, streams: [ElementaryStream(type: 0x24, pid: 0x200)])
        let services = SDT(
            transportStreamID: 1, originalNetworkID: 1,
            services: [
                SDT.Service(id: 1, type: 1, provider: "p", name: "eins"),
                SDT.Service(id: 7, type: 1, provider: "p", name: "sieben"),
            ])
        return PSITests.packets(association.section(version: 0), pid: 0, counter: counter)
            + PSITests.packets(services.section(version: 0), pid: 0x11, counter: counter)
            + PSITests.packets(
                PMT(programNumber: 1, pcrPID: 0x100, streams: streams).section(version: 0), pid: 0x1000,
                counter: counter)
            + PSITests.packets(other.section(version: 0), pid: 0x1001, counter: counter)
    }

    @Test func listsAndChangesProgramsAndLanguages() {
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        demultiplexer.push(Self.tables(counter: 0), to: &sink)
        #expect(demultiplexer.programs == [1, 7] && demultiplexer.services.map(\.name) == ["eins", "sieben"])
        #expect(sink.programs.map { $0?.number } == [1])
        demultiplexer.choose(program: nil, audioLanguage: "deu", to: &sink)
        #expect(sink.programs.last??.audio?.pid == 0x103)
        demultiplexer.choose(program: 1, audioLanguage: "GER", to: &sink)
        #expect(sink.programs.count == 2, "nothing changed")
        demultiplexer.choose(program: 7, audioLanguage: "deu", to: &sink)
        #expect(sink.programs.count == 3 && sink.programs.last == .some(nil))
        demultiplexer.push(Self.tables(counter: 1), to: &sink)
        #expect(sink.programs.last??.number == 7 && sink.programs.last??.video?.codec == .hevc)
        #expect(demultiplexer.service?.name == "sieben")
        demultiplexer.choose(program: 9, audioLanguage: nil, to: &sink)
        demultiplexer.push(Self.tables(counter: 2), to: &sink)
        #expect(sink.programs.last == .some(nil) && demultiplexer.program == nil)
        demultiplexer.choose(program: nil, audioLanguage: nil, to: &sink)
        demultiplexer.push(Self.tables(counter: 3), to: &sink)
        #expect(sink.programs.last??.number == 1 && demultiplexer.counters.continuityErrors == 0)
    }

    /// The unit begun is delivered, and what follows is of the other stream.
    @Test func changesTheLanguageAtOnce() throws {
        let stream = try Vector.bytes("mpeg2-mp2.ts")
        let half = stream.count / 2 / TSPacket.size * TSPacket.size
        var demultiplexer = TSDemultiplexer(audioLanguage: "eng")
        var sink = RecordingSink()
        demultiplexer.push(Array(stream[..<half]), to: &sink)
        #expect(sink.programs.last??.audio?.pid == 0x101)
        let pictures = sink.video.count
        demultiplexer.choose(program: nil, audioLanguage: "fre", to: &sink)
        #expect(sink.programs.last??.audio?.pid == 0x102 && sink.video.count == pictures)
        demultiplexer.push(Array(stream[half...]), to: &sink)
        demultiplexer.flush(to: &sink)
        let listed = Vector.lines("video", of: try Vector.listing("mpeg2-mp2"))
        #expect(sink.videoLines == listed)
        #expect(demultiplexer.counters.programChanges == 0 && sink.audio.count > 1)
    }

    @Test func restartsElsewhereInTheSameStream() throws {
        let stream = try Vector.bytes("testsrc2.ts")
        var demultiplexer = TSDemultiplexer()
        var sink = RecordingSink()
        demultiplexer.push(Array(stream.prefix(150 * TSPacket.size)), to: &sink)
        demultiplexer.restart()
        var again = RecordingSink()
        demultiplexer.push(stream, to: &again)
        demultiplexer.flush(to: &again)
        let listed = Vector.lines("video", of: try Vector.listing("testsrc2"))
        #expect(again.videoLines == listed)
        #expect(again.programs.isEmpty && demultiplexer.counters.continuityErrors == 0)
        #expect(demultiplexer.counters.damagedUnits == 0)
    }

    /// Radio: each unit of sound begins at a point to begin with, which the scanner of the same choice finds.
    @Test func soundAloneBeginsAnywhere() throws {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        let map = PMT(programNumber: 1, pcrPID: 0x101, streams: Array(Self.streams.dropFirst()))
        let original = RecordingSink.demultiplex(try Vector.bytes("testsrc2.ts"))
        var stream = PSITests.packets(association.section(version: 0), pid: 0)
        stream += PSITests.packets(map.section(version: 0), pid: 0x1000)
        stream += HostileStreamTests.withoutTables(try Vector.bytes("testsrc2.ts"))
        var scanner = RandomAccessScanner(audioLanguage: "eng")
        let points = try stream.withUnsafeBytes { bytes in
            try stride(from: 0, to: 40 * TSPacket.size, by: TSPacket.size).compactMap {
                scanner.inspect(try TSPacket(bytes, at: $0), in: bytes).map(\.pts)
            }
        }
        #expect(!points.isEmpty && points == original.sink.audio.prefix(points.count).map(\.unit.pts))
        #expect(scanner.program?.pcrPID == 0x101)
        scanner.choose(program: 3, audioLanguage: nil)
        #expect(scanner.program == nil)
    }
}
