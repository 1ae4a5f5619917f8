// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import TransportStream

/// Programs that are chosen by the names of the SDT.
@Suite final class NamedProgramTests {
    private var follower = ProgramFollower(program: .name("Zwei"))

    private static func association(_ numbers: [UInt16], version: UInt8 = 0) -> (UInt16, [UInt8]) {
        let programs = numbers.map { PAT.Program(number: $0, mapPID: 0x1000 + $0) }
        return (0, PAT(transportStreamID: 1, programs: programs).section(version: version))
    }

    private static func description(_ names: [UInt16: String], version: UInt8 = 0) -> (UInt16, [UInt8]) {
        let services = names.sorted { $0.key < $1.key }.map {
            SDT.Service(id: $0.key, type: 1, provider: "", name: $0.value)
        }
        return (0x11, SDT(transportStreamID: 1, originalNetworkID: 1, services: services).section(version: version))
    }

    private static func map(_ number: UInt16) -> (UInt16, [UInt8]) {
        let streams = [ElementaryStream(type: 0x1B, pid: 0x100 * number)]
        return (0x1000 + number, PMT(programNumber: number, pcrPID: nil, streams: streams).section(version: 0))
    }

    private var counters: [UInt16: UInt8] = [:]

    /// - Returns: whether the program changed.
    private func push(_ tables: (pid: UInt16, section: [UInt8])...) throws -> Bool {
        var isOther = false
        for (pid, section) in tables {
            let counter = counters[pid, default: 0]
            counters[pid] = (counter + 1) & 0xF
            try PSITests.packets(section, pid: pid, counter: counter).withUnsafeBytes { bytes in
                if follower.push(try TSPacket(bytes, at: 0), in: bytes) { isOther = true }
            }
        }
        return isOther
    }

    private func choose(_ program: ProgramChoice) { _ = follower.choose(program: program, audioLanguage: nil) }

    @Test func waitsForTheName() throws {
        #expect(try !push(Self.association([1, 2]), Self.map(1), Self.map(2)))
        #expect(follower.programs == [1, 2] && follower.program == nil)
        let before = follower.listings
        #expect(try !push(Self.description([1: "Eins", 2: "Zwei"])))
        #expect(follower.listings == before + 1 && follower.service?.name == "Zwei")
        #expect(try push(Self.map(1), Self.map(2)))
        #expect(follower.program?.number == 2)
        #expect(try !push(Self.association([1, 2]), Self.description([1: "Eins", 2: "Zwei"])))
        #expect(follower.listings == before + 1, "nothing new")
    }

    @Test func theNamesMayComeBeforeThePrograms() throws {
        #expect(try !push(Self.description([1: "Eins", 2: "Zwei"]), Self.association([1])))
        #expect(follower.program == nil, "a service that is not on air")
        #expect(try push(Self.association([1, 2], version: 1), Self.map(2)))
        #expect(follower.program?.number == 2)
    }

    /// A program that gets another name goes on; a name that goes to another program is followed.
    @Test func namesChange() throws {
        _ = try push(Self.description([1: "Eins", 2: "Zwei"]), Self.association([1, 2]), Self.map(2))
        #expect(try !push(Self.description([2: "Zwei HD"], version: 1)))
        #expect(follower.program?.number == 2)
        #expect(try push(Self.description([1: "Zwei"], version: 2)))
        #expect(follower.program == nil)
        #expect(try push(Self.map(1)))
        #expect(follower.program?.number == 1)
        #expect(try push(Self.association([2], version: 1)))
        #expect(follower.program == nil, "it is no longer there, and no other has the name")
    }

    @Test func anotherChoiceKeepsNothing() throws {
        _ = try push(Self.description([1: "Eins", 2: "Zwei"]), Self.association([1, 2]), Self.map(2))
        choose(.name("Drei"))
        #expect(follower.program == nil)
        choose(.name("Eins"))
        #expect(try push(Self.map(1)))
        #expect(follower.program?.number == 1)
        choose(2)
        #expect(follower.service?.name == "Zwei")
    }
}
