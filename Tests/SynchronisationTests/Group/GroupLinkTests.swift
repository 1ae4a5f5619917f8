// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import Signing
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Synchronisation

/// Announcements over the loopback interface.
@Suite(.serialized) struct GroupLinkTests {
    private static let loopback = NumericAddress(v4: 0x7f00_0001)
    /// Others that test groups at the same time have another one.
    private static let secret = "\(UInt64.random(in: 0 ... .max))\(UInt64.random(in: 0 ... .max))"

    private final class Heard {
        var announcements: [GroupAnnouncement] = []
    }

    private static func announcement(_ group: String, of box: String) throws -> GroupAnnouncement {
        GroupAnnouncement(
            group: group, box: box, isAppointed: false, leads: false, era: nil,
            ciiURL: try #require(WebSocketURL("ws://127.0.0.1:7681/cii")), refused: [])
    }

    private static func link(
        _ loop: EventLoop, _ heard: Heard, at addresses: [NumericAddress] = [loopback]
    ) throws -> GroupLink {
        let key = try #require(SharedKey(secret: secret))
        return GroupLink(
            GroupCorrespondence(key: key, random: SystemRandomNumberGenerator()), at: addresses, loop: loop
        ) { heard.announcements.append($0) }
    }

    private static func turn(_ loop: EventLoop, _ what: Comment, until isSo: () -> Bool) throws {
        let end = SystemClock.monotonic() + .seconds(10)
        while !isSo() {
            guard SystemClock.monotonic() < end else {
                Issue.record("\(what) did not come")
                return
            }
            try loop.turn(atMost: .milliseconds(10))
        }
    }

    private func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await onThread { Result { try body() } }.get()
    }

    @Test func boxesHearEachOtherWithinTheFirstAnnouncements() async throws {
        try await run {
            let (loop, heard, otherHeard) = (try EventLoop(), Heard(), Heard())
            let (one, other) = (try Self.link(loop, heard), try Self.link(loop, otherHeard))
            defer {
                one.stop()
                other.stop()
            }
            #expect(one.problem == nil)
            let (first, second) = (try Self.announcement("g", of: "one"), try Self.announcement("g", of: "other"))
            one.announce(first)
            other.announce(second)
            // Newcomers are answered at once, so that each needs to speak no second time by itself.
            try Self.turn(loop, "both") { heard.announcements == [second] && otherHeard.announcements == [first] }
            // Others that change fast are told at most each 50 ms, and then as they are.
            for index in 0..<100 { one.announce(try Self.announcement("g", of: "one-\(index)")) }
            try Self.turn(loop, "the last") { otherHeard.announcements.last?.box == "one-99" }
            #expect(otherHeard.announcements.count < 10)
        }
    }

    /// Garbage, what is too long, what is forged, all of it fast: counted, and others are heard on.
    @Test func badDatagramsAreCountedAndSurvived() async throws {
        try await run {
            let (loop, heard, otherHeard) = (try EventLoop(), Heard(), Heard())
            let (one, other) = (try Self.link(loop, heard), try Self.link(loop, otherHeard))
            defer {
                one.stop()
                other.stop()
            }
            let place = GroupPort.Place(interface: "lo", isIPv6: false)
            let stranger = try SendingSocket(to: place.group, port: GroupPort.port, interface: "lo", hops: 1)
            let forged = GroupDatagram(instance: 7, counter: 1, heard: [], text: Array("{}".utf8)).signedOctets
            var random = SplitMix64(seed: 1)
            for index in 0..<300 {
                var octets = [UInt8](repeating: 0, count: index % 3 == 0 ? 20_000 : Int(random.next() % 200))
                if index % 3 == 1 { octets = forged + [UInt8](repeating: UInt8(index % 256), count: 32) }
                try octets.withUnsafeBytes { try stranger.send($0) }
                let end = SystemClock.monotonic() + .milliseconds(index % 20 == 19 ? 30 : 0)
                while SystemClock.monotonic() < end { try loop.turn(atMost: .milliseconds(5)) }
            }
            other.announce(try Self.announcement("g", of: "other"))
            one.announce(try Self.announcement("g", of: "one"))
            try Self.turn(loop, "the other box") { heard.announcements.contains { $0.box == "other" } }
            #expect(one.counters.forged >= 50 && one.counters.foreign >= 100 && one.counters.rests > 0)
            #expect(one.counters.malformed == 0 && heard.announcements.allSatisfy { $0.box == "other" })
        }
    }

    /// An address that no interface has is named, and tried again; the others are used meanwhile.
    @Test func anAddressThatIsNotThereIsNamed() async throws {
        try await run {
            let (loop, heard) = (try EventLoop(), Heard())
            let link = try Self.link(loop, heard, at: [NumericAddress(v4: 0xc000_0207), Self.loopback])
            defer { link.stop() }
            #expect(link.problem == "no interface has the address 192.0.2.7")
            let otherHeard = Heard()
            let other = try Self.link(loop, otherHeard)
            defer { other.stop() }
            link.announce(try Self.announcement("g", of: "one"))
            other.announce(try Self.announcement("g", of: "other"))
            try Self.turn(loop, "the other box") { !heard.announcements.isEmpty && !otherHeard.announcements.isEmpty }
        }
    }
}
