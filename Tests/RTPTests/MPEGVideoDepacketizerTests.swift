// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RTP

@Suite struct MPEGVideoDepacketizerTests {
    private static let sequence: [UInt8] = [0, 0, 1, 0xB3, 0x28, 0x01, 0x68, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
    private static let header: [UInt8] = [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8]

    private static func slice(_ row: UInt8, _ count: Int) -> [UInt8] {
        [0, 0, 1, row] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) | 0x11 }
    }

    /// Four pictures of two slices: the first with its sequence header, each slice in one or two packets.
    private static let pictures: [[[UInt8]]] = [
        [sequence + header + slice(1, 60), slice(2, 90)], [header + slice(1, 50), slice(2, 50)],
        [header + slice(1, 20), slice(2, 20)], [header + slice(1, 70), slice(2, 90)],
    ]

    /// - Parameter front: the header of RFC 2250.
    private static func session(front: [UInt8] = [0, 0, 0, 0], size: Int = 64) -> Session {
        var session = Session()
        for (index, picture) in pictures.enumerated() {
            let pieces = picture.flatMap { slice in
                stride(from: 0, to: slice.count, by: size).map { Array(slice[$0..<min(slice.count, $0 + size)]) }
            }
            for (place, piece) in pieces.enumerated() {
                session.send(front + piece, at: UInt32(index) * 3_600, marker: place == pieces.count - 1)
            }
        }
        return session
    }

    /// GStreamer's header is zero; with the extension for MPEG-2; and with extensions and composite display in that.
    @Test(
        arguments: [
            [0, 0, 0, 0], [4, 0, 0x18, 0, 0, 0, 0, 0],
            [4, 0, 0x18, 0, 0x40, 0, 0, 1, 9, 9, 9, 9, 2, 1, 1, 1, 1, 1, 1, 1],
        ] as [[UInt8]])
    func putsPicturesTogether(front: [UInt8]) {
        var depacketizer = PictureDepacketizer.video()
        let session = Self.session(front: front)
        let units = Session.pictures(session.packets, of: &depacketizer, isFlushed: false)
        #expect(units.map(\.bytes) == Self.pictures.map { Array($0.joined()) })
        #expect(units.map(\.unit.timestamp) == [0, 3_600, 7_200, 10_800])
        #expect(units.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss })
        var expected = DepacketizerCounters()
        expected.packets = UInt64(session.packets.count)
        #expect(depacketizer.counters == expected)
    }

    /// The rest of a slice is skipped, and the next one used.
    @Test(arguments: 0..<12) func aLostPacketCostsItsSlice(lost: Int) throws {
        var packets = Self.session().packets
        try #require(packets.count == 12)
        let time = packets.remove(at: lost)[4..<8].reduce(0) { $0 << 8 | Int($1) }
        var depacketizer = PictureDepacketizer.video()
        let units = Session.pictures(packets, of: &depacketizer)
        for (index, content) in Self.pictures.enumerated() where index != time / 3_600 {
            let unit = try #require(units.first { $0.unit.timestamp == UInt32(index) * 3_600 })
            #expect(unit.bytes == Array(content.joined()) && !unit.unit.isDamaged)
        }
        let broken = units.first { $0.unit.timestamp == UInt32(time) }
        // Behind the last packet there is none to tell.
        #expect(broken?.unit.isDamaged ?? true || lost == 11)
        // Every slice that is there has its beginning.
        #expect(broken?.bytes.starts(with: [0, 0, 1]) ?? true)
        if lost == 1 { #expect(broken?.bytes == Self.pictures[0][0].prefix(64) + Self.pictures[0][1]) }
    }

    @Test func keepsHeadersForThePictureBehindThem() {
        var session = Session()
        session.send([0, 0, 0, 0] + Self.sequence, at: 0, marker: true)
        session.send([0, 0, 0x18, 0] + Self.header + Self.slice(1, 9), at: 20, marker: true)
        var depacketizer = PictureDepacketizer.video()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.map(\.bytes) == [Self.sequence + Self.header + Self.slice(1, 9)])
        #expect(units.first?.unit.timestamp == 20 && units.first?.unit.isDamaged == false)
    }

    @Test(arguments: [[0], [4, 0, 0, 0], [4, 0, 0, 0, 0x40, 0, 0, 0], [4, 0, 0, 0, 0x40, 0, 0, 0, 3]] as [[UInt8]])
    func countsWhatIsNone(payload: [UInt8]) {
        var session = Session()
        session.send([0, 0, 0, 0] + Self.header + Self.slice(1, 9), at: 0)
        session.send(payload, at: 0)
        session.send([0, 0, 0, 0] + Self.slice(2, 9), at: 0, marker: true)
        var depacketizer = PictureDepacketizer.video()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(depacketizer.counters.malformedPackets == 1 && units.map(\.unit.isDamaged) == [true])
        #expect(units.first?.bytes == Self.header + Self.slice(1, 9) + Self.slice(2, 9))
    }

    /// Each packet cut at each place: the pictures in other packets are whole.
    @Test func everyTruncationCostsItsPictureAtMost() {
        let session = Self.session(front: [4, 0, 0, 0, 0, 0, 0, 0])
        let whole = Self.pictures.map { Array($0.joined()) }
        for (index, packet) in session.packets.enumerated() {
            for count in 0..<packet.count {
                var packets = session.packets
                packets[index] = Array(packet[..<count])
                var depacketizer = PictureDepacketizer.video()
                let units = Session.pictures(packets, of: &depacketizer)
                #expect(units.count { whole.contains($0.bytes) } >= 3, "packet \(index) of \(count) octets")
            }
        }
    }

    @Test func staysWithinDamagedBytes() {
        let session = Self.session(front: [4, 0, 0, 0, 0x40, 0, 0, 0, 1, 0, 0, 0])
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            var depacketizer = PictureDepacketizer.video(limit: 200)
            let units = Session.pictures(session.packets.map { mutation.damage($0) }, of: &depacketizer)
            #expect(units.allSatisfy { $0.bytes.count <= 200 })
        }
    }
}
