// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time
import Venue

@testable import Discovery

@Suite struct TelevisionAnnouncerTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)
    private static let client = NumericAddress(v4: 0xc000_0209)

    private var announcer: TelevisionAnnouncer
    private var random = SplitMix64(seed: 1)
    private let announcement: DiscoveryAnnouncement

    init() throws {
        let location = try DIALResponderTests.responder().location
        announcement = try #require(
            DiscoveryAnnouncement(uniqueName: "uuid:1::\(DiscoverySearch.dial)", location: location))
        announcer = TelevisionAnnouncer(announcement, at: Self.start)
    }

    private mutating func ask(
        _ target: String = DiscoverySearch.dial, wait: Int? = 2, from client: NumericAddress = client,
        isOnLink: Bool = true, after span: Nanoseconds
    ) throws {
        let search = try #require(DiscoverySearch(target: target, maximumWait: wait))
        DiscoveryMessage.search(search).octets.withUnsafeBytes {
            announcer.datagramReceived(
                $0, from: client, port: 5_000, isOnLink: isOnLink, at: Self.start + span, &random)
        }
    }

    @Test mutating func itIsAnnouncedThriceAndThenSeldom() {
        var instants: [Nanoseconds] = []
        while instants.count < 10 {
            let now = announcer.nextTick
            let actions = announcer.tick(at: now, &random)
            #expect(actions == [.announce(DiscoveryMessage.alive(announcement).octets)])
            instants.append(now - Self.start)
        }
        #expect(instants[0] == .zero && instants[2] < .seconds(2))
        let spans = zip(instants.dropFirst(2), instants.dropFirst(3)).map { $1 - $0 }
        #expect(spans.allSatisfy { $0 >= .seconds(450) && $0 <= .seconds(600) })
        let farewell = DiscoveryMessage.byebye(target: announcement.target, uniqueName: announcement.uniqueName)
        #expect(announcer.farewell == [.announce(farewell.octets), .announce(farewell.octets)])
    }

    @Test mutating func searchesAreAnsweredWithinTheirTime() throws {
        _ = announcer.tick(at: Self.start, &random)
        try ask(after: .zero)
        try ask(DiscoverySearch.all, wait: nil, after: .zero)
        try ask("upnp:rootdevice", after: .zero)
        try ask(isOnLink: false, after: .zero)
        let answer = TelevisionAnnouncer.Action.answer(
            DiscoveryMessage.answer(announcement).octets, to: Self.client, port: 5_000)
        #expect(announcer.tick(at: Self.start, &random) == [answer])
        let rest = announcer.tick(at: Self.start + .seconds(2), &random)
        #expect(rest.filter { $0 == answer }.count == 1)
        #expect(announcer.counters.answers == 2 && announcer.counters.searches == 2)
        #expect(announcer.counters.messagesForeign == 1)
        // Who asks for a minute has it in five seconds.
        try ask(wait: 60, after: .seconds(3))
        #expect(announcer.tick(at: Self.start + .seconds(8), &random).contains(answer))
    }

    @Test mutating func answersAreLimitedByClientAndInAll() throws {
        for _ in 0..<50 { try ask(after: .zero) }
        #expect(announcer.counters.searchesOverRate == 42)
        for number in 0..<1_000 as Range<UInt32> {
            try ask(from: NumericAddress(v4: 0x0a00_0000 + number), after: .zero)
        }
        #expect(announcer.counters.searchesOverRate == 42 + 908)
        let answers = announcer.tick(at: Self.start + .seconds(5), &random).filter {
            if case .answer = $0 { true } else { false }
        }
        #expect(answers.count == 100)
        try ask(after: .seconds(20))
        #expect(announcer.counters.searchesOverRate == 42 + 908)
    }

    @Test mutating func garbageIsCounted() {
        for length in 0..<200 {
            let octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            octets.withUnsafeBytes {
                announcer.datagramReceived($0, from: Self.client, port: 1, isOnLink: true, at: Self.start, &random)
            }
        }
        #expect(announcer.counters.messagesMalformed == 200 && announcer.counters.searches == 0)
    }
}
