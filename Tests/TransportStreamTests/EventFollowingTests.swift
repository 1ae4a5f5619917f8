// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Time

@testable import TransportStream

@Suite struct EventFollowingTests {
    private static func event(_ name: String) -> EIT.Event {
        EIT.Event(
            id: 1, start: EITTests.event.start, duration: .seconds(60), texts: [EventText(language: "eng", name: name)])
    }

    /// A section of one event, or of none.
    private static func section(
        _ name: String?, service: UInt16 = 1, number: UInt8 = 0, last: UInt8 = 1, version: UInt8 = 0,
        isActual: Bool = true
    ) -> [UInt8] {
        EIT(
            isActual: isActual, serviceID: service, transportStreamID: 1, originalNetworkID: 1, sectionNumber: number,
            lastSectionNumber: last, events: name.map { [event($0)] } ?? []
        ).section(version: version)
    }

    private var demultiplexer = TSDemultiplexer()
    private var sink = RecordingSink()
    private var counter: UInt8 = 0

    init() { demultiplexer.push(ProgramChoiceTests.tables(), to: &sink) }

    private mutating func push(_ sections: [UInt8]...) {
        for section in sections {
            let packets = PSITests.packets(section, pid: PID.eventInformation, counter: counter)
            demultiplexer.push(packets, to: &sink)
            counter += UInt8(packets.count / TSPacket.size)
        }
    }

    private var names: [String?] {
        [demultiplexer.events.now, demultiplexer.events.next].map { $0?.text()?.name }
    }

    @Test mutating func keepsNowAndNextOfTheProgram() {
        #expect(names == [nil, nil])
        push(
            Self.section("other service", service: 7), Self.section("other stream", isActual: false),
            Self.section("News"), Self.section("Film", number: 1))
        #expect(names == ["News", "Film"])
        #expect(sink.events.map { $0.now?.text()?.name } == ["News", "News"])
        push(Self.section("News"), Self.section("Film", number: 1))
        #expect(sink.events.count == 2, "repetitions are no news")
        push(Self.section("Film", version: 1), Self.section(nil, number: 1, version: 1))
        #expect(names == ["Film", nil])
        push(Self.section(nil, version: 2))
        #expect(names == [nil, nil] && sink.events.count == 5)
        #expect(demultiplexer.counters.malformedSections == 0 && demultiplexer.counters.crcErrors == 0)
    }

    @Test mutating func takesATableThatHasNoNext() {
        push(Self.section("News"), Self.section("Film", number: 1), Self.section("Sport", last: 0, version: 1))
        #expect(names == ["Sport", nil] && sink.events.count == 3)
    }

    /// A multiplexer that changes what it sends and not its version.
    @Test mutating func looksAtTheCheckAndNotAtTheVersion() {
        push(Self.section("News"), Self.section("Sport"))
        #expect(names == ["Sport", nil])
    }

    @Test mutating func forgetsThoseOfAnotherProgram() {
        push(Self.section("News"), Self.section("Film", number: 1))
        demultiplexer.choose(program: 1, audioLanguage: "deu", to: &sink)
        #expect(names == ["News", "Film"] && sink.events.count == 2, "another language, the same events")
        demultiplexer.choose(program: 7, audioLanguage: nil, to: &sink)
        #expect(names == [nil, nil] && sink.events.count == 3)
        push(Self.section("too early", service: 7))
        #expect(names == [nil, nil])
        demultiplexer.push(ProgramChoiceTests.tables(counter: 1), to: &sink)
        push(Self.section("sieben", service: 7))
        #expect(names == ["sieben", nil] && sink.events.count == 4)
    }

    @Test mutating func countsWhatCannotBeRead() {
        var broken = Self.section("News")
        broken[20] ^= 1
        push(broken, EITTests.checked(Array(EITTests.content.prefix(20))))
        #expect(demultiplexer.counters.crcErrors == 1 && demultiplexer.counters.malformedSections == 0)
        var cut = Array(Self.section("News").dropLast(5))
        cut = EITTests.checked(cut)
        push(cut)
        #expect(demultiplexer.counters.malformedSections == 1 && names == [nil, nil])
        push(Self.section("News"))
        #expect(names == ["News", nil])
    }

    /// The longest section that there is, over 23 packets, amid another service's.
    @Test mutating func assemblesLongSections() {
        let details = String(repeating: "x", count: 249)
        let text = EventText(language: "eng", name: "long", details: details)
        let long = EIT.Event(id: 1, start: nil, duration: nil, texts: Array(repeating: text, count: 15))
        let table = EIT(
            serviceID: 1, transportStreamID: 1, originalNetworkID: 1, sectionNumber: 0, events: [long])
        let section = table.section(version: 0)
        push(section)
        #expect(section.count > 3_800 && demultiplexer.events.now?.texts.first?.name == "long")
    }

    @Test mutating func survivesDamagedPackets() {
        let packets = PSITests.packets(Self.section("News"), pid: PID.eventInformation)
        for seed in 0..<Mutation.count(usual: 500) {
            var mutation = Mutation(seed: UInt64(seed))
            demultiplexer.push(mutation.damage(packets), to: &sink)
        }
        push(Self.section("again", version: 9), Self.section("again", version: 9))
        #expect(names.first == "again")
    }
}
