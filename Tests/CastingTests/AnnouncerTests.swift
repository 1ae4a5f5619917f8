// SPDX-License-Identifier: Apache-2.0
import Announcements
import Testing
import Time
import Venue

@testable import Casting

@Suite struct AnnouncerTests {
    let announcements = (1...3).map { number in
        Announcement(
            streamer: Streamer.ID("demo"), sessionNumber: Int64(number),
            license: FieldOfUse(venueName: "v", contentOwner: "c", appDeveloper: "a"), name: "Channel \(number)",
            transport: Transport(address: "239.10.0.\(number)", port: 5_004, encapsulation: .rtp(payloadType: 33)),
            interval: .seconds(2))
    }

    private func announcer() -> Announcer {
        Announcer(
            announcements.map { ($0, $0.channel) }, origin: NumericAddress(v4: 0xc000_0201), version: 7, hops: 16,
            start: Monotonic(nanoseconds: 1_000))
    }

    @Test func bothFormsOfEachChannelComeOncePerInterval() throws {
        var announcer = announcer()
        var heard: [String: Int] = [:]
        var now = Monotonic(nanoseconds: 0)
        while now < Monotonic(nanoseconds: 9_500_000_000) {
            for datagram in announcer.due(at: now) {
                let packet = try datagram.withUnsafeBytes { try SAPPacket(parsing: $0) }
                #expect(packet.kind == .announcement)
                let type = try #require(packet.payloadType)
                heard["\(type.mimeType) \(packet.identifierHash)", default: 0] += 1
            }
            now += .milliseconds(10)
        }
        #expect(heard.count == 6)  // under hashes of their own
        #expect(heard.values.allSatisfy { $0 == 5 })
    }

    @Test func whatIsSentCanBeRead() throws {
        var announcer = announcer()
        let datagrams = announcer.due(at: Monotonic(nanoseconds: 1_000))
        #expect(datagrams.count == 2)
        let packet = try datagrams[0].withUnsafeBytes { try SAPPacket(parsing: $0) }
        let read = try Array(datagrams[0][packet.payload]).withUnsafeBytes { try Announcement(decoding: $0) }
        #expect(read == announcements[0])
        let plain = try datagrams[1].withUnsafeBytes { try SAPPacket(parsing: $0) }
        let description = try Array(datagrams[1][plain.payload]).withUnsafeBytes { try SessionDescription(parsing: $0) }
        #expect(description.programme?.transport == announcements[0].transport)
    }

    @Test func deletionsNameTheSameSessions() throws {
        var announcer = announcer()
        var announced: Set<UInt16> = []
        for datagram in announcer.due(at: Monotonic(nanoseconds: 1_000_000_000)) {
            announced.insert(try datagram.withUnsafeBytes { try SAPPacket(parsing: $0) }.identifierHash)
        }
        var deleted: Set<UInt16> = []
        for datagram in announcer.deletions {
            let packet = try datagram.withUnsafeBytes { try SAPPacket(parsing: $0) }
            #expect(packet.kind == .deletion)
            deleted.insert(packet.identifierHash)
        }
        #expect(announced == deleted && deleted.count == 6)
    }

    /// A head-end that was stopped in a debugger, say: no burst of all that it missed.
    @Test func aLateCallSendsOnce() {
        var announcer = announcer()
        #expect(announcer.due(at: Monotonic(nanoseconds: 60_000_000_000)).count == 6)
        #expect(announcer.due(at: Monotonic(nanoseconds: 60_000_000_001)).isEmpty)
        #expect(announcer.nextDue.map { $0 > Monotonic(nanoseconds: 60_000_000_001) } == true)
    }
}
