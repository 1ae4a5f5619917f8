// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RTP

/// Units that are sent in another order than they are decoded in.
@Suite struct InterleavingTests {
    private static let depth = 3

    private static func h264(_ header: UInt8, _ count: Int) -> [UInt8] {
        [header, 0x88] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) | 1 }
    }

    private static func hevc(_ header: UInt8, _ count: Int) -> [UInt8] {
        [header, 1, 0xAF] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) | 1 }
    }

    /// Six pictures, the first with its parameter sets, in decoding order.
    private static let h264Pictures: [[[UInt8]]] =
        [[[0x67, 0x42], [0x68, 0xCE], h264(0x65, 90)]] + (1..<6).map { [h264(0x41, 10 * $0)] }
    private static let hevcPictures: [[[UInt8]]] =
        [[[0x40, 1, 12], [0x42, 1, 1], [0x44, 1, 0xC0], hevc(0x26, 90)]] + (1..<6).map { [hevc(0x02, 10 * $0)] }

    /// By the number of their first unit; it wraps.
    private static func number(_ index: Int) -> [UInt8] {
        let number = UInt16(truncatingIfNeeded: 65_533 + index)
        return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    /// Of H.264: STAP-B, FU-B with FU-A, MTAP16 and MTAP24, in the order 0, 3, 1, 2, 5, 4 of pictures.
    private static var h264Session: Session {
        let pictures = h264Pictures
        let sized = { (unit: [UInt8]) -> [UInt8] in [0, UInt8(unit.count)] + unit }
        let idr = pictures[0][2]
        var session = Session()
        session.send([25] + number(0) + sized(pictures[0][0]) + sized(pictures[0][1]), at: 0)
        session.send([0x7D, 0x85] + number(2) + idr[1..<40], at: 0)
        session.send([0x7C, 0x05] + idr[40..<70], at: 0)
        session.send([0x7C, 0x45] + idr[70...], at: 0, marker: true)
        session.send([25] + number(5) + sized(pictures[3][0]), at: 3 * 3_600)
        // Pictures 1 and 2, by their differences to number and time of the packet.
        let first = [0, UInt8(pictures[1][0].count), 0, 0, 0] + pictures[1][0]
        let second = [0, UInt8(pictures[2][0].count), 1, 0x0E, 0x10] + pictures[2][0]
        session.send([26] + number(3) + first + second, at: 3_600)
        let fifth = [0, UInt8(pictures[5][0].count), 1, 0, 0x0E, 0x10] + pictures[5][0]
        session.send([27] + number(6) + fifth, at: 4 * 3_600)
        session.send([25] + number(6) + sized(pictures[4][0]), at: 4 * 3_600)
        return session
    }

    /// Of HEVC: an aggregation packet, fragmentation units and single units, in the same order.
    private static var hevcSession: Session {
        let pictures = hevcPictures
        let sized = { (unit: [UInt8]) -> [UInt8] in [0, UInt8(unit.count)] + unit }
        let idr = pictures[0][3]
        let single = { (picture: Int) -> [UInt8] in
            let unit = pictures[picture][0]
            return unit[..<2] + number(3 + picture) + unit[2...]
        }
        var session = Session()
        let sets = sized(pictures[0][0]) + [0] + sized(pictures[0][1]) + [0] + sized(pictures[0][2])
        session.send([0x60, 1] + number(0) + sets, at: 0)
        session.send([0x62, 1, 0x93] + number(3) + idr[2..<40], at: 0)
        session.send([0x62, 1, 0x13] + idr[40..<70], at: 0)
        session.send([0x62, 1, 0x53] + idr[70...], at: 0, marker: true)
        for picture in [3, 1, 2, 5, 4] { session.send(single(picture), at: UInt32(picture) * 3_600, marker: true) }
        return session
    }

    private struct Sent: Sendable {
        let session: Session
        let pictures: [[[UInt8]]]
        let make: @Sendable () -> PictureDepacketizer
    }

    private static let sessions = [
        Sent(session: h264Session, pictures: h264Pictures) { .h264(depth: depth, limit: 4_096) },
        Sent(session: hevcSession, pictures: hevcPictures) { .hevc(depth: depth, limit: 4_096) },
    ]

    @Test(arguments: sessions.indices) func putsUnitsIntoDecodingOrder(index: Int) {
        let sent = Self.sessions[index]
        let (session, pictures, make) = (sent.session, sent.pictures, sent.make)
        var depacketizer = make()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.map(\.bytes) == pictures.map(Session.annexB))
        let timestamps: [UInt32] = units.map(\.unit.timestamp)
        #expect(timestamps == pictures.indices.map { UInt32($0) * 3_600 })
        #expect(units.map(\.unit.isRandomAccess) == [true] + Array(repeating: false, count: 5))
        #expect(units.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss })
        var expected = DepacketizerCounters()
        expected.packets = UInt64(session.packets.count)
        #expect(depacketizer.counters == expected && depacketizer.bufferedOctets == 0)
    }

    /// The example of RFC 6184 13.2: reference pictures R1, R3 and R5 of three slices, one of each in each of three
    /// MTAPs, and pictures N2 and N4 between them in STAP-Bs. All slices of a picture have one number.
    @Test func multiPictureSliceInterleaving() {
        let slice = { (picture: UInt8, group: UInt8) -> [UInt8] in
            [picture == 1 ? 0x65 : picture % 2 == 1 ? 0x61 : 0x01, group == 0 ? 0x88 : 0x40 | group, picture, 0x80]
        }
        var session = Session()
        for packet in 0..<3 as Range<UInt8> {
            var payload: [UInt8] = [26, 0, 1]
            // R1, R3 and R5 have the numbers 1, 2 and 4.
            for (index, picture) in ([1, 3, 5] as [UInt8]).enumerated() {
                let offset = 3_600 * (Int(picture) - 1)
                let unit = slice(picture, (packet + UInt8(index)) % 3)
                let head = [0, UInt8(unit.count), [0, 1, 3][index], UInt8(offset >> 8), UInt8(offset & 0xFF)]
                payload += head + unit
            }
            session.send(payload, at: 3_600)
        }
        for picture in [2, 4] as [UInt8] {
            session.send([25, 0, picture + 1, 0, 4] + slice(picture, 0), at: 3_600 * UInt32(picture), marker: true)
        }
        // Before the third slice of R1 four are sent that are decoded after it.
        var depacketizer = PictureDepacketizer.h264([[0x67, 0x42], [0x68, 0xCE]], depth: 4)
        let units = Session.pictures(session.packets, of: &depacketizer)
        let timestamps: [UInt32] = units.map(\.unit.timestamp)
        #expect(timestamps == [3_600, 10_800, 7_200, 18_000, 14_400])
        let expected = [
            [[0x67, 0x42], [0x68, 0xCE]] + [0, 1, 2].map { slice(1, $0) }, [1, 2, 0].map { slice(3, $0) },
            [slice(2, 0)], [2, 0, 1].map { slice(5, $0) }, [slice(4, 0)],
        ]
        #expect(units.map(\.bytes) == expected.map(Session.annexB))
        #expect(units.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss })
    }

    /// Nothing is held longer than its order needs: the fifth slice lets the first go.
    @Test(arguments: sessions.indices) func holdsNoMoreThanTheDepth(index: Int) {
        let sent = Self.sessions[index]
        let (session, pictures, make) = (sent.session, sent.pictures, sent.make)
        var depacketizer = make()
        let units = Session.pictures(session.packets, of: &depacketizer, isFlushed: false)
        // Three slices are held, and the picture before them has not ended.
        #expect(units.count == pictures.count - Self.depth - 1)
    }

    @Test(arguments: sessions.indices) func aLossIsTold(index: Int) {
        let sent = Self.sessions[index]
        let (session, pictures, make) = (sent.session, sent.pictures, sent.make)
        for lost in 1..<session.packets.count - 1 {
            var packets = session.packets
            packets.remove(at: lost)
            var depacketizer = make()
            let units = Session.pictures(packets, of: &depacketizer)
            let whole = pictures.map(Session.annexB)
            #expect(units.contains { $0.unit.isDamaged || $0.unit.followsLoss }, "\(lost)")
            let intact = units.filter { !$0.unit.isDamaged }
            #expect(intact.allSatisfy { whole.contains($0.bytes) } && intact.count >= 3, "\(lost)")
            #expect(depacketizer.counters.lostPackets == 1)
        }
    }

    /// What the interleaved mode does not have, and what is cut short.
    @Test(
        arguments: [
            [0x41, 1], [24, 0, 1, 0x41], [25, 0], [26, 0, 0, 0, 1, 0], [0x7D, 0x85, 0], [0x7C, 0x85, 1], [30],
        ] as [[UInt8]]) func countsWhatIsNone(payload: [UInt8])
    {
        var session = Session()
        session.send(payload, at: 0)
        var depacketizer = PictureDepacketizer.h264(depth: 2)
        #expect(Session.pictures(session.packets, of: &depacketizer).isEmpty)
        #expect(depacketizer.counters.malformedPackets == 1)
    }

    @Test func anotherSourceBeginsAnotherOrder() {
        var session = Self.h264Session
        session.source = 77
        session.send([25, 0, 5, 0, 12] + Self.h264(0x65, 10), at: 9)
        var depacketizer = PictureDepacketizer.h264(depth: 9)
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.count == 7 && units.last?.unit.isDiscontinuity == true && units.last?.unit.timestamp == 9)
    }

    /// Units without slices, and fragments without end: the memory has one.
    @Test func holdsNoMoreThanTheLimit() {
        var session = Session()
        for _ in 0..<300 { session.send([25, 0, 1, 0, 2, 6, 1], at: 0) }
        session.send([25, 0, 1] + (0..<300).flatMap { _ in [0, 2, 6, 1] as [UInt8] }, at: 0)
        session.send([0x7D, 0x85, 0, 2], at: 0)
        for _ in 0..<500 { session.send([0x7C, 0x05] + Array(repeating: 1, count: 1_000), at: 0) }
        var depacketizer = PictureDepacketizer.h264(depth: 2, limit: 65_536)
        #expect(Session.pictures(session.packets, of: &depacketizer, isFlushed: false).isEmpty)
        #expect(depacketizer.bufferedOctets <= 65_536)
    }

    @Test(arguments: sessions.indices) func staysWithinDamagedBytes(index: Int) {
        let (session, make) = (Self.sessions[index].session, Self.sessions[index].make)
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            var depacketizer = make()
            let units = Session.pictures(session.packets.map { mutation.damage($0) }, of: &depacketizer)
            #expect(units.allSatisfy { $0.bytes.count <= 4_096 })
        }
        for (place, packet) in session.packets.enumerated() {
            for count in 0..<packet.count {
                var packets = session.packets
                packets[place] = Array(packet[..<count])
                var depacketizer = make()
                #expect(Session.pictures(packets, of: &depacketizer).count >= 3, "\(place) of \(count) octets")
            }
        }
    }
}
