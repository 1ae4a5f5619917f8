// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing

@testable import TransportStream

/// What a map lists and what comes: PES packets of some streams at their intervals, in one demultiplexer.
@Suite struct StreamPresenceTests {
    private static let picture = ElementaryStream(type: 0x1B, pid: 0x100)
    private static let otherPicture = ElementaryStream(type: 0x1B, pid: 0x110)
    private static let english = ElementaryStream(type: 0x0F, pid: 0x101, language: "eng")
    private static let german = ElementaryStream(type: 0x0F, pid: 0x102, language: "deu")
    private static let french = ElementaryStream(type: 0x0F, pid: 0x103, language: "fra")

    private var demultiplexer = TSDemultiplexer()
    private var scanner = RandomAccessScanner()
    private var sink = RecordingSink()
    private var counters: [UInt16: UInt8] = [:]
    private var clock: UInt64 = 0x1_FFFF_0000  // wraps soon

    private mutating func push(_ packets: [UInt8]) {
        demultiplexer.push(packets, to: &sink)
        packets.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: TSPacket.size) {
                guard let packet = try? TSPacket(bytes, at: offset) else { continue }  // ours is one
                _ = scanner.inspect(packet, in: bytes)
            }
        }
    }

    private mutating func list(_ streams: [ElementaryStream], version: UInt8 = 0) {
        let association = PAT(transportStreamID: 1, programs: [PAT.Program(number: 1, mapPID: 0x1000)])
        push(PSITests.packets(association.section(version: 0), pid: 0, counter: version))
        let map = PMT(programNumber: 1, pcrPID: 0x100, streams: streams)
        push(PSITests.packets(map.section(version: version), pid: 0x1000, counter: version))
    }

    /// - Parameter streams: each with the milliseconds between its PES packets.
    private mutating func play(_ streams: [(ElementaryStream, every: Int)], milliseconds: Int) {
        for instant in 1...milliseconds {
            clock = (clock &+ 90) & 0x1_FFFF_FFFF
            for (stream, interval) in streams where instant % interval == 0 {
                var out = WireWriter()
                let isVideo = stream.codec.isVideo
                PESHeader.write(
                    streamID: isVideo ? 0xE0 : 0xC0, pts: Int64(clock), dts: nil, dataCount: 11, to: &out)
                let unit = out.bytes + [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 0x88]
                let counter = counters[stream.pid, default: 0]
                counters[stream.pid] = (counter + 1) & 0xF
                var packet = WireWriter()
                _ = TSPacketWriter(pid: stream.pid, startsUnit: true, counter: counter)
                    .write(available: unit.count, to: &packet)
                push(packet.bytes + unit)
            }
        }
    }

    private var sound: UInt16? { demultiplexer.program?.audio?.pid }
    private var pictures: UInt16? { demultiplexer.program?.video?.pid }

    /// ExoPlayer #9243: the first sound track is empty. The next takes its place within about a second, whatever is empty
    /// between them.
    @Test mutating func anEmptyTrackGivesWay() {
        list([Self.picture, Self.english, Self.german, Self.french])
        #expect(sound == 0x101)
        play([(Self.picture, every: 40), (Self.french, every: 24)], milliseconds: 900)
        #expect(sound == 0x101)
        play([(Self.picture, every: 40), (Self.french, every: 24)], milliseconds: 300)
        #expect(sound == 0x103 && pictures == 0x100 && scanner.program?.audio?.pid == 0x103)
        #expect(sink.programs.count == 2 && demultiplexer.counters.programChanges == 1)
    }

    /// MuMuDVB #251: a track stops while the map lists it, and comes back.
    @Test mutating func aTrackThatStopsGivesWayAndComesBack() {
        list([Self.picture, Self.english, Self.german])
        let both = [(Self.picture, every: 40), (Self.english, every: 24), (Self.german, every: 32)]
        play(both, milliseconds: 3_000)
        #expect(sound == 0x101)
        play([both[0], both[2]], milliseconds: 2_000)
        #expect(sound == 0x101, "a pause is no end")
        play([both[0], both[2]], milliseconds: 700)
        #expect(sound == 0x102)
        play(both, milliseconds: 300)
        #expect(sound == 0x102)
        play(both, milliseconds: 400)
        #expect(sound == 0x101 && sink.programs.count == 3)
        play(both, milliseconds: 5_000)
        #expect(sink.programs.count == 3)
    }

    /// PES packets of many frames and of one: the track with few of them is there all the same.
    @Test(arguments: [(700, 24), (350, 8), (24, 700)]) mutating func tracksOfOtherLengthsStay(first: Int, second: Int) {
        list([Self.picture, Self.english, Self.german])
        play(
            [(Self.picture, every: 40), (Self.english, every: first), (Self.german, every: second)],
            milliseconds: 10_000)
        #expect(sound == 0x101 && sink.programs.count == 1)
    }

    @Test mutating func emptyPicturesGiveWay() {
        list([Self.picture, Self.otherPicture, Self.english])
        play([(Self.otherPicture, every: 40), (Self.english, every: 24)], milliseconds: 1_200)
        #expect(pictures == 0x110 && scanner.program?.video?.pid == 0x110)
    }

    /// Pictures that are listed and never come: the sound plays as radio does, until they come.
    @Test mutating func soundPlaysWithoutPicturesThatNeverCome() {
        list([Self.picture, Self.english])
        play([(Self.english, every: 24)], milliseconds: 2_900)
        #expect(pictures == 0x100)
        play([(Self.english, every: 24)], milliseconds: 300)
        #expect(pictures == nil && sound == 0x101)
        play([(Self.picture, every: 40), (Self.english, every: 24)], milliseconds: 100)
        #expect(pictures == 0x100)
        play([(Self.english, every: 24)], milliseconds: 10_000)
        #expect(pictures == 0x100, "still pictures are far apart")
    }

    /// What is known of a PID stays when the map changes, and goes with the PID.
    @Test mutating func remembersOverAnotherMap() {
        list([Self.picture, Self.english, Self.german])
        play([(Self.picture, every: 40), (Self.german, every: 24)], milliseconds: 1_300)
        #expect(sound == 0x102)
        list([Self.picture, Self.english, Self.german, Self.french], version: 1)
        #expect(sound == 0x102)
        list([Self.picture, Self.german], version: 2)
        list([Self.picture, Self.english, Self.german], version: 3)
        #expect(sound == 0x101)
    }
}
