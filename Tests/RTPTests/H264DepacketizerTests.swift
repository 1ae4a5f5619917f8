// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RTP

@Suite struct H264DepacketizerTests {
    static let sequenceSet: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9]
    static let pictureSet: [UInt8] = [0x68, 0xCE, 0x38, 0x80]
    static let delimiter: [UInt8] = [0x09, 0xF0]

    private static func slice(_ header: UInt8, _ count: Int, first: UInt8 = 0x88) -> [UInt8] {
        [header, first] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) | 1 }
    }

    /// Four pictures: an IDR of two slices with its parameter sets, then three of one slice, the third in one packet.
    static let pictures: [[[UInt8]]] = [
        [sequenceSet, pictureSet, slice(0x65, 100), slice(0x65, 90, first: 0x40)], [slice(0x41, 120)],
        [slice(0x41, 20)], [slice(0x41, 150)],
    ]

    static func session(_ pictures: [[[UInt8]]] = pictures) -> Session {
        var session = Session()
        for (index, picture) in pictures.enumerated() { session.send(picture: picture, at: UInt32(index) * 3_600) }
        return session
    }

    @Test func putsPicturesTogether() {
        var depacketizer = PictureDepacketizer.h264()
        depacketizer.mark = 5
        let units = Session.pictures(Self.session().packets, of: &depacketizer, isFlushed: false)
        #expect(units.map(\.bytes) == Self.pictures.map(Session.annexB))
        #expect(units.map(\.unit.timestamp) == [0, 3_600, 7_200, 10_800] && units.allSatisfy { $0.unit.mark == 5 })
        #expect(units.map(\.unit.isRandomAccess) == [true, false, false, false])
        #expect(units.allSatisfy { !$0.unit.isDamaged && !$0.unit.followsLoss && !$0.unit.isDiscontinuity })
        var expected = DepacketizerCounters()
        expected.packets = UInt64(Self.session().packets.count)
        #expect(depacketizer.counters == expected)
    }

    @Test func endsAPictureWhereTheTimeChanges() {
        let unmarked = Self.session().packets.map { [$0[0], $0[1] & 0x7F] + $0[2...] }
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(unmarked, of: &depacketizer)
        #expect(units.map(\.bytes) == Self.pictures.map(Session.annexB) && depacketizer.counters.damagedUnits == 0)
    }

    /// Packet by packet: 1 of parameter sets, 3 + 3 of the IDR's slices, 4, 1 and 4 of the others.
    @Test(arguments: 0..<16) func oneLostPacketCostsItsPictureAndNoOther(lost: Int) throws {
        var packets = Self.session().packets
        try #require(packets.count == 16)
        let time = packets.remove(at: lost)[4..<8].reduce(0) { $0 << 8 | Int($1) }
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(packets, of: &depacketizer)
        let picture = time / 3_600
        for (index, content) in Self.pictures.enumerated() where index != picture {
            let unit = try #require(units.first { $0.unit.timestamp == UInt32(index) * 3_600 })
            #expect(unit.bytes == Session.annexB(content) && !unit.unit.isDamaged)
        }
        let isSeen = units.contains { $0.unit.isDamaged } || units.contains { $0.unit.followsLoss }
        // Of one before the first nobody can know, and behind the last picture there is none to tell.
        #expect(isSeen || lost == 0 || lost >= 12 && depacketizer.counters.droppedUnits == 1)
        let broken = units.first { $0.unit.timestamp == UInt32(time) }
        // Of a picture in one slice nothing is left; of the IDR one slice is.
        #expect((broken != nil) == (picture == 0))
        if (1..<15).contains(lost) { #expect(depacketizer.counters.lostPackets == 1) }
        if (1...6).contains(lost) {
            let kept = lost < 4 ? [0, 1, 3] : [0, 1, 2]
            #expect(broken?.bytes == Session.annexB(kept.map { Self.pictures[0][$0] }))
            #expect(broken?.unit.isDamaged == true)
        }
    }

    @Test func putsAnnouncedParameterSetsBeforeEachIDR() {
        let idr = [Self.delimiter, Self.slice(0x65, 60)]
        let session = Self.session([idr, [Self.slice(0x41, 10)], [Self.slice(0x65, 30)]])
        var without = PictureDepacketizer.h264()
        #expect(Session.pictures(session.packets, of: &without).allSatisfy { !$0.unit.isRandomAccess })
        var depacketizer = PictureDepacketizer.h264([Self.sequenceSet, [0x41, 1], [], Self.pictureSet])
        let units = Session.pictures(session.packets, of: &depacketizer)
        let sets = [Self.sequenceSet, Self.pictureSet]
        #expect(units.map(\.unit.isRandomAccess) == [true, false, true])
        #expect(units[0].bytes == Session.annexB([Self.delimiter] + sets + [Self.slice(0x65, 60)]))
        #expect(units[2].bytes == Session.annexB(sets + [Self.slice(0x65, 30)]))
    }

    /// How far the next entry point is, nobody knows.
    @Test func putsThemBeforeTheFirstPictureAndSeldomAgain() {
        let picture = [Self.slice(0x41, 10)]
        let session = Self.session([[[UInt8]]](repeating: picture, count: 502))
        var depacketizer = PictureDepacketizer.h264([Self.sequenceSet, Self.pictureSet])
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.count == 502 && units.allSatisfy { !$0.unit.isRandomAccess })
        #expect(units.indices.filter { units[$0].bytes != Session.annexB(picture) } == [0, 500])
    }

    @Test func leavesAStreamWithParameterSetsAlone() {
        var depacketizer = PictureDepacketizer.h264([[0x67, 9, 9], [0x68, 9]])
        let units = Session.pictures(Self.session().packets, of: &depacketizer)
        #expect(units.map(\.bytes) == Self.pictures.map(Session.annexB))
    }

    /// Some senders give them a marker, or a time of their own.
    @Test func keepsParameterSetsForThePictureBehindThem() {
        var session = Session()
        session.send(Self.sequenceSet, at: 0, marker: true)
        session.send(Self.pictureSet, at: 10, marker: true)
        session.send(Self.slice(0x65, 10), at: 20, marker: true)
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.map(\.bytes) == [Session.annexB([Self.sequenceSet, Self.pictureSet, Self.slice(0x65, 10)])])
        #expect(units.first?.unit.timestamp == 20 && units.first?.unit.isRandomAccess == true)
        #expect(units.first?.unit.isDamaged == false)
    }

    @Test func beginsInTheMiddleOfAPicture() {
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(Array(Self.session().packets[4...]), of: &depacketizer)
        #expect(units.map(\.unit.isDamaged) == [true, false, false, false])
    }

    @Test func dropsWhatIsLateAndFollowsAnotherSource() {
        var session = Self.session()
        let late = session.packets[3]
        session.packets.insert(late, at: 10)
        session.source = 10
        session.sequence = 100
        session.send(picture: [Self.slice(0x65, 50)], at: 77)
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(units.dropLast().map(\.bytes) == Self.pictures.map(Session.annexB))
        #expect(units.map(\.unit.isDiscontinuity) == [false, false, false, false, true])
        #expect(depacketizer.counters.latePackets == 1 && depacketizer.counters.sourceChanges == 1)
        #expect(depacketizer.counters.lostPackets == 0)
    }

    @Test(
        arguments: [
            [0x18, 0, 9, 0x41], [0x18, 0, 0], [0x18, 0], [0x1C], [0x1C, 0xDC, 1], [0x00, 1], [0x1E],
            [0x18, 0, 1, 0x18],
        ] as [[UInt8]]) func countsWhatIsNone(payload: [UInt8])
    {
        var session = Session()
        session.send(Self.slice(0x65, 10), at: 0)
        session.send(payload, at: 0)
        session.send(Self.slice(0x65, 10, first: 0x40), at: 0, marker: true)
        var depacketizer = PictureDepacketizer.h264()
        let units = Session.pictures(session.packets, of: &depacketizer)
        #expect(depacketizer.counters.malformedPackets == 1 && units.map(\.unit.isDamaged) == [true])
        #expect(units[0].bytes == Session.annexB([Self.slice(0x65, 10), Self.slice(0x65, 10, first: 0x40)]))
    }

    @Test(arguments: [25, 26, 27, 29] as [UInt8]) func countsInterleaving(type: UInt8) {
        var session = Session()
        session.send(Self.slice(0x65, 10), at: 0)
        session.send([type, 0, 0, 0, 0, 0], at: 0, marker: true)
        var depacketizer = PictureDepacketizer.h264()
        #expect(Session.pictures(session.packets, of: &depacketizer).map(\.unit.isDamaged) == [true])
        #expect(depacketizer.counters.unsupportedPackets == 1)
    }

    @Test func dropsAPictureBeyondTheLimit() {
        var depacketizer = PictureDepacketizer.h264(limit: 140)
        let units = Session.pictures(Self.session().packets, of: &depacketizer)
        #expect(units.map(\.unit.timestamp) == [3_600, 7_200] && depacketizer.counters.oversizedUnits == 2)
        #expect(units.map(\.unit.followsLoss) == [true, false])
        #expect(depacketizer.bufferedOctets == 0)
    }

    /// Fragments without end: the memory has one.
    @Test func holdsNoMoreThanTheLimit() {
        var session = Session()
        session.send([0x1C, 0x85] + Array(repeating: 0x88, count: 1_000), at: 0)
        for _ in 0..<500 { session.send([0x1C, 0x05] + Array(repeating: 1, count: 1_000), at: 0) }
        var depacketizer = PictureDepacketizer.h264(limit: 65_536)
        #expect(Session.pictures(session.packets, of: &depacketizer, isFlushed: false).isEmpty)
        #expect(depacketizer.bufferedOctets <= 65_536)
    }

    /// Each packet cut at each place: the pictures in other packets are whole.
    @Test func everyTruncationCostsItsPictureAtMost() {
        let session = Self.session()
        for (index, packet) in session.packets.enumerated() {
            for count in 0..<packet.count {
                var packets = session.packets
                packets[index] = Array(packet[..<count])
                var depacketizer = PictureDepacketizer.h264(limit: 4_096)
                let whole = Self.pictures.map(Session.annexB)
                let units = Session.pictures(packets, of: &depacketizer)
                #expect(units.count { whole.contains($0.bytes) } >= 3, "packet \(index) of \(count) octets")
                #expect(units.allSatisfy { $0.bytes.count <= 4_096 })
            }
        }
    }

    @Test func staysWithinDamagedBytes() {
        let session = Self.session()
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            var depacketizer = PictureDepacketizer.h264([Self.sequenceSet], limit: 4_096)
            let packets = session.packets.map { seed % 3 == 0 ? $0 : mutation.damage($0) }
            let units = Session.pictures(packets.shuffled(seed), of: &depacketizer)
            #expect(units.allSatisfy { $0.bytes.count <= 4_096 })
        }
    }
}

extension [[UInt8]] {
    /// Every third order is another one.
    fileprivate func shuffled(_ seed: Int) -> [[UInt8]] {
        guard seed % 3 == 0 else { return self }
        var random = SplitMix64(seed: UInt64(seed))
        return shuffled(using: &random)
    }
}
