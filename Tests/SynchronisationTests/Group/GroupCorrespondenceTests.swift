// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Signing
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct GroupCorrespondenceTests {
    private static let start = Monotonic(nanoseconds: 1_000_000_000)

    private static func announcement(of box: String) throws -> GroupAnnouncement {
        GroupAnnouncement(
            group: "lobby", box: box, isAppointed: false, leads: false, era: nil,
            ciiURL: try #require(WebSocketURL("ws://192.0.2.1:7681/cii")), refused: [])
    }

    /// A box that can be asked within an expectation.
    private final class Box {
        private(set) var correspondence: GroupCorrespondence

        init(seed: UInt64, key: String = "0123456789abcdef") throws {
            let key = try #require(SharedKey(secret: key))
            correspondence = GroupCorrespondence(key: key, random: SplitMix64(seed: seed))
        }

        var counters: GroupCounters { correspondence.counters }
        var instance: UInt64 { correspondence.instance }

        func read(_ octets: [UInt8], at now: Monotonic = GroupCorrespondenceTests.start) -> GroupCorrespondence.Reading
        {
            octets.withUnsafeBytes { correspondence.read($0, at: now) }
        }

        func write(as name: String, at now: Monotonic = GroupCorrespondenceTests.start) throws -> [UInt8] {
            correspondence.write(try GroupCorrespondenceTests.announcement(of: name), at: now)
        }
    }

    /// Two boxes that hear each other.
    private static func pair() throws -> (one: Box, other: Box) {
        let (one, other) = (try Box(seed: 1), try Box(seed: 2))
        _ = other.read(try one.write(as: "one"))
        _ = one.read(try other.write(as: "other"))
        _ = other.read(try one.write(as: "one"))
        return (one, other)
    }

    /// The first announcement is answered; from then on they count.
    @Test func anAnnouncementCountsWhenItsSenderHearsThisBox() throws {
        let (one, other) = (try Box(seed: 1), try Box(seed: 2))
        let first = try one.write(as: "one")
        #expect(other.read(first) == .unanswered(isNew: true))
        #expect(other.read(first) == .unanswered(isNew: false))
        let answer = try other.write(as: "other")
        #expect(try one.read(answer) == .announcement(Self.announcement(of: "other")))
        let second = try one.write(as: "one")
        #expect(try other.read(second) == .announcement(Self.announcement(of: "one")))
        #expect(one.counters.received == 1 && other.counters.unanswered == 2)
    }

    @Test func itsOwnAreIgnored() throws {
        let one = try Box(seed: 1)
        let octets = try one.write(as: "one")
        #expect(one.read(octets) == .own)
    }

    @Test func aRepetitionAndWhatWasOvertakenAreRefused() throws {
        let (one, other) = try Self.pair()
        let older = try one.write(as: "one")
        let newer = try one.write(as: "one")
        guard case .announcement = other.read(newer) else {
            Issue.record("refused")
            return
        }
        #expect(other.read(newer) == .refused)
        #expect(other.read(older) == .refused)
        #expect(other.counters.repeated == 2)
    }

    /// Neither by a box that was there, nor by one that has started anew, nor by one that never heard the sender.
    @Test func recordingsAreRefusedByAll() throws {
        let (one, other) = try Self.pair()
        let recorded = try (0..<20).map { _ in try one.write(as: "one") }
        guard case .announcement = other.read(recorded[19]) else {
            Issue.record("refused")
            return
        }
        let (restarted, stranger) = (try Box(seed: 3), try Box(seed: 4))
        for octets in recorded {
            #expect(other.read(octets) == .refused)
            for isAnswered in [restarted.read(octets), stranger.read(octets)] {
                guard case .unanswered = isAnswered else {
                    Issue.record("a recording counts")
                    continue
                }
            }
        }
        #expect(restarted.counters.received == 0 && stranger.counters.received == 0)
    }

    @Test func otherKeysAndEveryChangedOctetAreRefused() throws {
        let (one, other) = try Self.pair()
        let foreign = try Box(seed: 5, key: "0123456789abcdeF")
        let forged = try foreign.write(as: "one")
        #expect(other.read(forged) == .refused && other.counters.forged == 1)
        let octets = try one.write(as: "one")
        for index in octets.indices {
            var changed = octets
            changed[index] ^= 1
            #expect(other.read(changed) == .refused, "octet \(index)")
        }
        for count in 0..<octets.count { #expect(other.read(Array(octets.prefix(count))) == .refused) }
        guard case .announcement = other.read(octets) else {
            Issue.record("what was not changed is refused")
            return
        }
    }

    @Test(arguments: Effort.seeds(200)) func damageIsSurvived(seed: UInt64) throws {
        let (one, other) = try Self.pair()
        var mutation = Mutation(seed: seed)
        let octets = try one.write(as: "one")
        let damaged = mutation.damage(octets)
        #expect(damaged == octets || other.read(damaged) == .refused)
    }

    @Test func whatAHolderOfTheKeyWritesMayBeUnreadable() throws {
        let (one, other) = try Self.pair()
        let key = try #require(SharedKey(secret: "0123456789abcdef"))
        let octets = GroupDatagram(
            instance: one.instance, counter: 1_000, heard: [other.instance], text: Array("{}".utf8)
        ).signedOctets
        #expect(other.read(octets + key.tag(of: octets)) == .refused)
        #expect(other.counters.malformed == 1)
    }

    /// The memory is bounded. When it is full all are believed anew, and then recordings of none.
    @Test func manyInstancesAreNotRememberedForEver() throws {
        let box = try Box(seed: 1)
        let first = box.instance
        for seed in 10..<(11 + UInt64(GroupCorrespondence.mostBelieved)) {
            // Restarts are apart in time.
            let now = Self.start + .seconds(Int64(seed))
            let other = try Box(seed: seed)
            _ = other.read(try box.write(as: "box", at: now), at: now)
            _ = box.read(try other.write(as: "other", at: now), at: now)
        }
        #expect(box.counters.renewed == 1 && box.instance != first)
        #expect(box.counters.received == UInt64(GroupCorrespondence.mostBelieved))
    }

    @Test func moreThanAreWrittenAreNotRemembered() throws {
        let box = try Box(seed: 1)
        for seed in 10..<400 {
            let other = try Box(seed: UInt64(seed))
            _ = box.read(try other.write(as: "other"))
        }
        let octets = try box.write(as: "box")
        let datagram = try octets.withUnsafeBytes { try GroupDatagram($0) }
        #expect(datagram.heard.count == GroupDatagram.mostHeard)
        let later = try box.write(as: "box", at: Self.start + .seconds(4))
        #expect(try later.withUnsafeBytes { try GroupDatagram($0) }.heard.isEmpty)
    }
}
