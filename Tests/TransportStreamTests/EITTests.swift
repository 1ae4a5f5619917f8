// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import TransportStream

@Suite struct EITTests {
    /// By hand from EN 300 468 5.2.4 and 6.2.37; the start is the example of annex C, 1993-10-13 12:45:00, and so is the
    /// duration, 01:45:30.
    static let content: [UInt8] = [
        0x4E, 0xF0, 0x3B, 0x00, 0x07, 0xC3, 0x00, 0x01, 0x00, 0x01, 0xFF, 0x01, 0x01, 0x4E,  // service 7, version 1
        0x12, 0x34, 0xC0, 0x79, 0x12, 0x45, 0x00, 0x01, 0x45, 0x30, 0x90, 0x20,  // event, running, scrambled
        0x4D, 0x0F, 0x67, 0x65, 0x72, 0x04, 0x4E, 0x65, 0x77, 0x73, 0x06, 0x15, 0xC3, 0x9C, 0x62, 0x65, 0x72,
        0x54, 0x04, 0x20, 0x00, 0x11, 0x7F, 0x55, 0x04, 0x47, 0x42, 0x52, 0x09, 0x7E, 0x01, 0x00,  // one unknown
    ]
    static let event = EIT.Event(
        id: 0x1234, start: WallTime(nanoseconds: 750_516_300_000_000_000), duration: .seconds(6_330),
        isScrambled: true, texts: [EventText(language: "ger", name: "News", summary: "Über")],
        genres: [0x2000, 0x117F], ratings: [ParentalRating(country: "GBR", value: 9)])

    /// With its length and CRC put right.
    static func checked(_ content: [UInt8], marks: UInt8 = 0xF0) -> [UInt8] {
        var bytes = content
        if bytes.count > 2 {
            bytes[1] = marks | UInt8((bytes.count + 1) >> 8 & 0xF)
            bytes[2] = UInt8((bytes.count + 1) & 0xFF)
        }
        let crc = CRC32MPEG.checksum(of: bytes)
        return bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }

    private func read(_ bytes: [UInt8]) throws -> EIT { try bytes.withUnsafeBytes { try EIT($0) } }

    @Test func readsTheStandardsExample() throws {
        let table = try read(Self.checked(Self.content))
        #expect(
            table
                == EIT(
                    serviceID: 7, transportStreamID: 1, originalNetworkID: 0xFF01, sectionNumber: 0,
                    events: [Self.event]))
        #expect(table.events.first?.start?.description == "1993-10-13T12:45:00.000Z")
    }

    @Test func writesWhatItReads() throws {
        let long = EventText(
            language: "eng", name: "東京", summary: String(repeating: "é", count: 60), details: "At length.")
        let events = [
            EIT.Event(id: 1, start: nil, duration: nil, runningStatus: 1, texts: []),
            EIT.Event(
                id: 2, start: WallTime(nanoseconds: 2_156_000_000_000_000_000), duration: .seconds(359_999),
                texts: [long, EventText(language: nil, name: "")]),
        ]
        for isActual in [true, false] {
            let table = EIT(
                isActual: isActual, serviceID: 9, transportStreamID: 8, originalNetworkID: 7, sectionNumber: 1,
                events: events)
            #expect(try read(table.section(version: 31)) == table)
        }
    }

    /// Days beyond April 2038, which 16 bits cannot hold, are not taken for those of 1858.
    @Test func goesOnWhereTheDayOverflows() throws {
        var content = Self.content
        (content[16], content[17]) = (0x00, 0x00)
        #expect(try read(Self.checked(content)).events.first?.start?.description == "2038-04-23T12:45:00.000Z")
    }

    @Test(arguments: [(18, 0x24), (19, 0x60), (20, 0x0A), (22, 0x60), (23, 0xA0)] as [(Int, UInt8)])
    func takesWhatIsNoTimeAsUndefined(place: Int, octet: UInt8) throws {
        var content = Self.content
        content[place] = octet
        let table = try read(Self.checked(content))
        let event = try #require(table.events.first)
        #expect((event.start == nil) == (place < 21) && (event.duration == nil) == (place >= 21))
        #expect(event.texts == Self.event.texts && !table.isWhole)
    }

    @Test func joinsTheExtendedTextOfEachLanguage() throws {
        func part(_ number: UInt8, _ language: String, _ text: String) -> [UInt8] {
            let items: [UInt8] = [3, 1, 0x41, 0]
            let content =
                [number << 4 | 1] + Array(language.utf8) + items + [UInt8(text.utf8.count)] + Array(text.utf8)
            return [0x4E, UInt8(content.count)] + content
        }
        let loop = part(0, "eng", "Once ") + part(1, "eng", "upon") + part(0, "fre", "Il")
        let head = Array(Self.content[..<24]) + [0x80, UInt8(loop.count)]
        let event = try #require(try read(Self.checked(head + loop)).events.first)
        #expect(event.text(in: "eng")?.details == "Once upon" && event.text(in: "fra")?.details == "Il")
        #expect(event.text(in: "deu")?.language == "eng" && event.text()?.language == "eng")
    }

    @Test(arguments: 0..<62) func throwsWhenCut(at length: Int) {
        let whole = Self.checked(Self.content)
        #expect(throws: WireError.self) { try read(Array(whole.prefix(length))) }
    }

    /// With a right CRC: what is left of the event counts, without the descriptor that is cut.
    @Test(arguments: 15..<58) func readsWhatIsLeft(of length: Int) throws {
        let table = try read(Self.checked(Array(Self.content.prefix(length))))
        #expect(!table.isWhole && table.events.count == (length < 26 ? 0 : 1))
        #expect(table.events.first?.texts ?? [] == (length < 43 ? [] : Self.event.texts))
        #expect(table.events.first?.ratings ?? [] == (length < 55 ? [] : Self.event.ratings))
    }

    @Test func refusesTheSchedule() {
        let bytes = Self.checked([0x50] + Self.content.dropFirst())
        #expect(thrown(WireError.self) { try read(bytes) } == WireError(.unsupported("table_id", 0x50), at: 0))
    }

    @Test func staysWithinDamagedBytes() {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            Self.checked(mutation.damage(Self.content)).withUnsafeBytes { bytes in
                guard let table = try? EIT(bytes) else { return }  // refusing is right, trapping is not
                #expect(table.events.count <= bytes.count / 12)
            }
        }
    }
}
