// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RTP

@Suite struct HEVCDepacketizerTests {
    private static let video: [UInt8] = [0x40, 1, 0x0C, 1]
    private static let sequence: [UInt8] = [0x42, 1, 1, 1]
    private static let picture: [UInt8] = [0x44, 1, 0xC0]
    private static let sets = [video, sequence, picture]
    private static let delimiter: [UInt8] = [0x46, 1, 0x50]
    /// Of IDR_W_RADL and TRAIL_R.
    private static let idr: UInt8 = 19 << 1
    private static let trail: UInt8 = 1 << 1

    private static func slice(_ header: UInt8, _ count: Int, isFirst: Bool = true) -> [UInt8] {
        [header, 1, isFirst ? 0xAF : 0x2F] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) | 1 }
    }

    /// An IDR picture of two slices with its parameter sets, one of a slice in fragments, one in a single packet.
    private static let pictures: [[[UInt8]]] = [
        sets + [slice(idr, 100), slice(idr, 90, isFirst: false)], [slice(trail, 120)], [slice(trail, 20)],
        [slice(trail, 150)],
    ]

    /// Small units together in an aggregation packet, great ones in fragmentation units.
    private static func session(_ pictures: [[[UInt8]]] = pictures) -> Session {
        let size = 40
        var session = Session()
        for (index, picture) in pictures.enumerated() {
            var payloads: [[UInt8]] = []
            let small = picture.filter { $0.count <= size && $0[0] >> 1 > 31 }
            for (place, unit) in small.enumerated() {
                if place == 0 { payloads.append([48 << 1, 1]) }
                payloads[0] += [0, UInt8(unit.count)] + unit
            }
            for unit in picture where !small.contains(unit) {
                guard unit.count > size else {
                    payloads.append(unit)
                    continue
                }
                for start in stride(from: 2, to: unit.count, by: size) {
                    let part = unit[start..<min(unit.count, start + size)]
                    let flags: UInt8 = (start == 2 ? 0x80 : 0) | (part.endIndex == unit.count ? 0x40 : 0)
                    payloads.append([49 << 1 | unit[0] & 0x81, unit[1], flags | unit[0] >> 1] + part)
                }
            }
            for (place, payload) in payloads.enumerated() {
                session.send(payload, at: UInt32(index) * 3_600, marker: place == payloads.count - 1)
            }
        }
        return session
    }

    @Test func putsPicturesTogether() {
        var depacketizer = PictureDepacketizer.hevc()
        let session = Self.session()
        let units = Session.pictures(session.packets, of: &depacketizer, isFlushed: false)
        #expect(units.map(\.bytes) == Self.pictures.map(Session.annexB))
        #expect(units.map(\.unit.timestamp) == [0, 3_600, 7_200, 10_800])
        #expect(units.map(\.unit.isRandomAccess) == [true, false, false, false])
        #expect(units.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss && !$0.unit.isDiscontinuity })
        var expected = DepacketizerCounters()
        expected.packets = UInt64(session.packets.count)
        #expect(depacketizer.counters == expected)
    }

    @Test(arguments: 0..<16) func oneLostPacketCostsItsPictureAndNoOther(lost: Int) throws {
        var packets = Self.session().packets
        try #require(packets.count == 16)
        let time = packets.remove(at: lost)[4..<8].reduce(0) { $0 << 8 | Int($1) }
        var depacketizer = PictureDepacketizer.hevc()
        let units = Session.pictures(packets, of: &depacketizer)
        for (index, content) in Self.pictures.enumerated() where index != time / 3_600 {
            let unit = try #require(units.first { $0.unit.timestamp == UInt32(index) * 3_600 })
            #expect(unit.bytes == Session.annexB(content) && !unit.unit.isDamaged)
        }
        let isSeen = units.contains { $0.unit.isDamaged || $0.unit.followsLoss }
        // Of one before the first nobody can know, and behind the last picture there is none to tell.
        #expect(isSeen || lost == 0 || lost >= 12 && depacketizer.counters.droppedUnits == 1)
    }

    /// A picture of the middle of a stream, whose decoding can begin: CRA, or what a recovery point message precedes.
    @Test func putsAnnouncedParameterSetsBeforeEachEntry() {
        let cra = Self.slice(21 << 1, 60)
        let recovery: [UInt8] = [39 << 1, 1, 6, 1, 0x80, 0x80]
        let session = Self.session([
            [Self.delimiter, cra], [Self.slice(Self.trail, 10)], [recovery, Self.slice(Self.trail, 30)],
        ])
        var without = PictureDepacketizer.hevc([Self.sequence, Self.picture])
        #expect(Session.pictures(session.packets, of: &without).allSatisfy { !$0.unit.isRandomAccess })
        var depacketizer = PictureDepacketizer.hevc([Self.video, [0x02, 1, 1], [], Self.sequence, Self.picture])
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.map(\.unit.isRandomAccess) == [true, false, false])
        #expect(units[0].bytes == Session.annexB([Self.delimiter] + Self.sets + [cra]))
        #expect(units[1].bytes == Session.annexB([Self.slice(Self.trail, 10)]))
        #expect(units[2].bytes == Session.annexB(Self.sets + [recovery, Self.slice(Self.trail, 30)]))
    }

    @Test func beginsInTheMiddleOfAPicture() {
        var depacketizer = PictureDepacketizer.hevc()
        let units = Session.pictures(Array(Self.session().packets[4...]), of: &depacketizer)
        #expect(units.map(\.unit.isDamaged) == [true, false, false, false])
    }

    /// An aggregation packet in another, of less than it says or of nothing; fragments of fragments; reserved types.
    @Test(
        arguments: [
            [0x60, 1, 0, 9, 2, 1], [0x60, 1, 0, 1, 2], [0x60, 1], [0x60, 1, 0, 3, 0x60, 1, 0], [0x62, 1],
            [0x62, 1, 0xB0, 1], [0x62], [0x02], [51 << 1, 1, 1],
        ] as [[UInt8]]) func countsWhatIsNone(payload: [UInt8])
    {
        var session = Session()
        session.send(Self.slice(Self.idr, 10), at: 0)
        session.send(payload, at: 0)
        session.send(Self.slice(Self.idr, 10, isFirst: false), at: 0, marker: true)
        var depacketizer = PictureDepacketizer.hevc()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(depacketizer.counters.malformedPackets == 1 && units.map(\.unit.isDamaged) == [true])
        let slices = [Self.slice(Self.idr, 10), Self.slice(Self.idr, 10, isFirst: false)]
        #expect(units.first?.bytes == Session.annexB(slices))
    }

    @Test func countsPACI() {
        var session = Session()
        session.send([50 << 1, 1, 0, 0, 1, 2], at: 0, marker: true)
        var depacketizer = PictureDepacketizer.hevc()
        #expect(Session.pictures(session.packets, of: &depacketizer).isEmpty)
        #expect(depacketizer.counters.unsupportedPackets == 1)
    }

    /// Each packet cut at each place: the pictures in other packets are whole.
    @Test func everyTruncationCostsItsPictureAtMost() {
        let session = Self.session()
        let whole = Self.pictures.map(Session.annexB)
        for (index, packet) in session.packets.enumerated() {
            for count in 0..<packet.count {
                var packets = session.packets
                packets[index] = Array(packet[..<count])
                var depacketizer = PictureDepacketizer.hevc(limit: 4_096)
                let units = Session.pictures(packets, of: &depacketizer)
                #expect(units.count { whole.contains($0.bytes) } >= 3, "packet \(index) of \(count) octets")
            }
        }
    }

    @Test func staysWithinDamagedBytes() {
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let session = Self.session()
            var depacketizer = PictureDepacketizer.hevc([Self.sequence], limit: 4_096)
            let units = Session.pictures(session.packets.map { mutation.damage($0) }, of: &depacketizer)
            #expect(units.allSatisfy { $0.bytes.count <= 4_096 })
        }
    }
}
