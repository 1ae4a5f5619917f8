// SPDX-License-Identifier: Apache-2.0
import Bytes
import Testing
import Venue

@testable import TransportStream

/// A PAT that lists more than the group carries, as of a transponder that was filtered (xbmc #15696, MuMuDVB #141, #173).
@Suite struct OtherProgramTests {
    private var demultiplexer = TSDemultiplexer()
    private var sink = RecordingSink()
    private var counters: [UInt16: UInt8] = [:]

    private static let media = [
        ElementaryStream(type: 0x1B, pid: 0x100), ElementaryStream(type: 0x0F, pid: 0x101, language: "eng"),
    ]

    private mutating func push(_ section: [UInt8], pid: UInt16) {
        let packets = PSITests.packets(section, pid: pid, counter: counters[pid, default: 0])
        counters[pid, default: 0] += UInt8(packets.count / TSPacket.size)
        demultiplexer.push(packets, to: &sink)
    }

    /// Programs 1...4 with their maps from 0x1001 on.
    private mutating func list(shared: Bool = false) {
        let programs = (1...4 as ClosedRange<UInt16>).map { number in
            PAT.Program(number: number, mapPID: shared ? 0x1000 : 0x1000 + number)
        }
        push(PAT(transportStreamID: 1, programs: programs).section(version: 0), pid: 0)
    }

    private mutating func map(_ number: UInt16, _ streams: [ElementaryStream] = media, shared: Bool = false) {
        let map = PMT(programNumber: number, pcrPID: 0x100, streams: streams)
        push(map.section(version: 0), pid: shared ? 0x1000 : 0x1000 + number)
    }

    /// A packet in which something begins, on the pictures' PID.
    private mutating func mediaComes() { demultiplexer.push(PSITests.packets([0], pid: 0x100), to: &sink) }

    @Test(arguments: [false, true]) mutating func aProgramWithoutAMapIsPassedOver(shared: Bool) {
        for _ in 0..<20 {
            list(shared: shared)
            map(3, shared: shared)
            mediaComes()
        }
        #expect(demultiplexer.program?.number == 3 && demultiplexer.program?.video?.pid == 0x100)
        #expect(sink.programs.count == 1)
    }

    /// The first program is followed although others' maps come before its own, and sooner again.
    @Test mutating func theFirstOneIsWaitedFor() {
        list()
        for _ in 0..<2 {
            map(2)
            map(3)
        }
        map(1)
        #expect(demultiplexer.program?.number == 1)
        for _ in 0..<20 { map(2) }
        #expect(demultiplexer.program?.number == 1 && sink.programs.count == 1)
    }

    @Test mutating func aProgramWithoutMediaIsPassedOver() {
        list()
        for _ in 0..<6 {
            map(1, [ElementaryStream(type: 0x05, pid: 0x300)])
            map(2, [])
            map(3)
            mediaComes()
        }
        #expect(demultiplexer.program?.number == 3)
    }

    /// Its streams are listed, and nothing comes on their PIDs.
    @Test mutating func aProgramOfEmptyPIDsIsPassedOver() {
        list()
        let empty = [ElementaryStream(type: 0x1B, pid: 0x200), ElementaryStream(type: 0x0F, pid: 0x201)]
        for _ in 0..<12 {
            map(1, empty)
            map(2)
            mediaComes()
        }
        #expect(demultiplexer.program?.number == 2)
    }

    /// Nothing comes of any: the one that lists media is waited for.
    @Test mutating func theBestOfNoneIsWaitedFor() {
        list()
        for _ in 0..<30 {
            map(2, [])
            map(3)
        }
        #expect(demultiplexer.program?.number == 3)
        let changes = sink.programs.count
        for _ in 0..<30 { map(3) }
        mediaComes()
        #expect(demultiplexer.program?.number == 3 && sink.programs.count == changes)
    }

    /// Where none has media, the first listed is followed and does not change again.
    @Test mutating func oneOfNoneIsTheFirst() {
        list()
        for _ in 0..<30 { for number in 1...4 as ClosedRange<UInt16> { map(number, []) } }
        #expect(demultiplexer.program?.number == 1)
        let changes = sink.programs.count
        for _ in 0..<30 { for number in 1...4 as ClosedRange<UInt16> { map(number, []) } }
        #expect(sink.programs.count == changes)
    }

    /// A program that somebody chose is the one that is followed, there or not.
    @Test mutating func aChoiceStays() {
        demultiplexer.choose(program: .number(1), audioLanguage: nil, to: &sink)
        for _ in 0..<20 {
            list()
            map(3)
            mediaComes()
        }
        #expect(demultiplexer.program == nil)
    }
}
