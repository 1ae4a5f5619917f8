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
        for count in stride(from: 0, through: datagram.count, by: Effort.isEmulated ? 7 : 1) {
            read(Array(datagram[..<count]))
        }
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

    @Test(arguments: [RepairDescriptions.framework, RepairDescriptions.parity]) func damagedRepairs(text: String) {
        let body = Array(text.utf8)
        for seed in 0..<UInt64(Mutation.count(usual: 1_000)) {
            var mutation = Mutation(seed: seed)
            // As above.
            if let session = try? SessionDescription(mutation.damage(body)) { session.readWhole() }
        }
    }

    private func read(_ octets: [UInt8]) {
        // As above.
        guard let packet = try? SAPPacket(octets), let session = try? SessionDescription(Array(octets[packet.payload]))
        else { return }
        session.readWhole()
        #expect(!session.text.isEmpty)
    }
}

extension SessionDescription {
    /// Everything that is parsed only when asked for.
    func readWhole() {
        _ = (programme?.transport, elementaryStreams.map(\.medium), groups)
        for media in media { _ = (media.rtpFormats, media.sourceFlow, media.repairFlow, repairs(of: media)) }
        for format in media.flatMap(\.rtpFormats) {
            _ = (format.parameters.hexadecimal("config"), format.parameters.base64List("sprop-parameter-sets"))
        }
    }
}
