// SPDX-License-Identifier: Apache-2.0
import Announcements
import TestSupport
import Testing

/// Damaged input is read or refused; it never traps. A failure is named by its seed.
struct ParserMutationTests {
    @Test(arguments: Vector.allCases) func damagedDatagrams(vector: Vector) throws {
        let datagram = try vector.octets()
        for seed in 0..<UInt64(Mutation.count(usual: 1_000)) {
            var mutation = Mutation(seed: seed)
            read(mutation.damage(datagram))
        }
    }

    @Test(arguments: Vector.allCases) func truncatedDatagrams(vector: Vector) throws {
        let datagram = try vector.octets()
        for count in 0...datagram.count { read(Array(datagram[..<count])) }
    }

    @Test func damagedAnnouncements() {
        let body = AnnouncementTests.full.encoded
        for seed in 0..<UInt64(Mutation.count()) {
            var mutation = Mutation(seed: seed)
            // To refuse is an answer; only a trap is not.
            if let announcement = try? Announcement(mutation.damage(body)) {
                #expect((try? Announcement(announcement.encoded)) == announcement, "seed \(seed)")
            }
        }
    }

    private func read(_ octets: [UInt8]) {
        // As above.
        guard let packet = try? SAPPacket(octets), let session = try? SessionDescription(Array(octets[packet.payload]))
        else { return }
        _ = session.programme
        #expect(!session.text.isEmpty)
    }
}
