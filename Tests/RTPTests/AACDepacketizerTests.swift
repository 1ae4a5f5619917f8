// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Venue

@testable import RTP

@Suite struct AACDepacketizerTests {
    private let adts: ADTSFrame
    private var session = Session()

    init() throws {
        adts = try #require(ADTSFrame(sampleRate: 48_000, channels: 2))
    }

    private static func unit(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ count) } }

    /// Headers of 13 bits of size and 3 of index, then the data.
    private static func payload(_ units: [[UInt8]]) -> [UInt8] {
        var payload = [UInt8](bigEndian: UInt16(units.count * 16))
        for unit in units { payload += [UInt8](bigEndian: UInt16(unit.count << 3)) }
        return payload + units.joined()
    }

    private func framed(_ unit: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        unit.withUnsafeBytes { adts.append($0, to: &frame) }
        return frame
    }

    private func frames() throws -> (units: [Session.Unit], counters: DepacketizerCounters) {
        var depacketizer = try SoundDepacketizer(.aac())
        let units = Session.frames(session.packets, of: &depacketizer)
        return (units, depacketizer.counters)
    }

    @Test mutating func takesSeveralUnitsOutOfAPacket() throws {
        session.send(Self.payload([Self.unit(10), Self.unit(300), Self.unit(1)]), at: 0xFFFF_FFFF, marker: true)
        session.send(Self.payload([Self.unit(7)]), at: 3_071, marker: true)
        let (units, counters) = try frames()
        #expect(units.map(\.bytes) == [10, 300, 1, 7].map { framed(Self.unit($0)) })
        #expect(units.map(\.unit.timestamp) == [0xFFFF_FFFF, 1_023, 2_047, 3_071])
        #expect(units.allSatisfy { $0.unit.isRandomAccess && !$0.unit.followsLoss })
        #expect(counters.packets == 2 && counters.malformedPackets == 0)
        // 7 + 10 octets, AAC-LC, 48 000 Hz, 2 channels: ISO/IEC 14496-3 1.A.2.2 by hand.
        #expect(Array(units[0].bytes.prefix(7)) == [0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x3F, 0xFC])
    }

    /// A packet's data after the headers of a unit that goes on in the next.
    private mutating func sendFragments(_ unit: [UInt8], size: Int, at timestamp: UInt32) {
        let head = Array(Self.payload([unit]).prefix(4))
        for start in stride(from: 0, to: unit.count, by: size) {
            let end = min(unit.count, start + size)
            session.send(head + unit[start..<end], at: timestamp, marker: end == unit.count)
        }
    }

    @Test mutating func joinsFragments() throws {
        sendFragments(Self.unit(1_000), size: 300, at: 5)
        sendFragments(Self.unit(8_184), size: 1_400, at: 1_029)
        let (units, counters) = try frames()
        #expect(units.map(\.bytes) == [framed(Self.unit(1_000)), framed(Self.unit(8_184))])
        #expect(units.map(\.unit.timestamp) == [5, 1_029] && counters.droppedUnits == 0)
    }

    @Test(arguments: 0..<4) mutating func aLostFragmentCostsItsUnit(lost: Int) throws {
        session.send(Self.payload([Self.unit(9)]), at: 0, marker: true)
        sendFragments(Self.unit(1_000), size: 300, at: 1_024)
        session.send(Self.payload([Self.unit(9)]), at: 2_048, marker: true)
        session.packets.remove(at: 1 + lost)
        let (units, counters) = try frames()
        #expect(units.map(\.unit.timestamp) == [0, 2_048] && counters.lostPackets == 1)
        #expect(units.map(\.unit.followsLoss) == [false, true])
    }

    @Test(
        arguments: [
            [0], [0, 16, 0], [0, 16, 0, 0x00], [0, 15, 0, 0x08, 1], [0xFF, 0xFF, 1], [0, 32, 0, 0x08, 1, 0x08, 1],
            [0, 16, 0xFF, 0xF8, 1],
        ] as [[UInt8]]) mutating func countsWhatIsNone(payload: [UInt8]) throws
    {
        session.send(payload, at: 0, marker: true)
        session.send(Self.payload([Self.unit(9)]), at: 1_024, marker: true)
        let (units, counters) = try frames()
        #expect(units.last?.bytes == framed(Self.unit(9)) && units.last?.unit.followsLoss == true)
        #expect(counters.malformedPackets == 1)
    }

    @Test mutating func refusesInterleaving() throws {
        session.send([0, 32, 0, 0x08, 0, 0x09, 1, 2], at: 0, marker: true)
        let (units, counters) = try frames()
        #expect(units.count == 1 && counters.unsupportedPackets == 1)  // the first of two is in its place
    }

    @Test mutating func scalesTheClockAndReadsOtherWidths() throws {
        let narrow = ElementaryMedium.Coding.aac(sizeLength: 6, indexLength: 0, indexDeltaLength: 0)
        var depacketizer = try SoundDepacketizer(narrow, clockRate: 90_000)
        session.send([0, 12, 0b0000_0100, 0b0010_0000, 1, 2, 3], at: 0, marker: true)
        let units = Session.frames(session.packets, of: &depacketizer)
        #expect(units.map(\.unit.timestamp) == [0, 1_920] && units.map(\.bytes.count) == [8, 9])
        #expect(throws: WireError.self) { try AACFraming(sizeLength: 0) }
        #expect(throws: WireError.self) { try AACFraming(indexLength: -1) }
    }

    /// Replication first, another type, channels described elsewhere or reserved, 960 samples, another coder below.
    @Test(
        arguments: [
            [0x2B, 0x11, 0x88, 0x00], [0x09, 0x90], [0x11, 0x80], [0x11, 0xC0], [0x11, 0x94], [0x11, 0x92],
        ] as [[UInt8]])
    func refusesTheConfiguration(octets: [UInt8]) throws {
        let error = thrown(WireError.self) { try SoundDepacketizer(.aac(octets)) }
        guard case .unsupported = error?.reason else {
            Issue.record("\(error.map { "\($0)" } ?? "taken")")
            return
        }
    }

    /// The unit behind the one that was cut is whole and says that something is missing.
    @Test(arguments: 12..<36) mutating func everyTruncationCostsItsPacket(count: Int) throws {
        session.send(Self.payload([Self.unit(20)]), at: 0, marker: true)
        session.send(Self.payload([Self.unit(9)]), at: 1_024, marker: true)
        session.packets[0].removeSubrange(count...)
        let (units, counters) = try frames()
        #expect(units.map(\.bytes) == [framed(Self.unit(9))])
        // Nothing at all is sent to keep the way open; what is short of its unit waits for the rest.
        #expect(counters.malformedPackets == (13..<16 ~= count ? 1 : 0))
        #expect(counters.droppedUnits == (count >= 16 ? 1 : 0) && units[0].unit.followsLoss == (count > 12))
    }

    @Test mutating func staysWithinDamagedBytes() throws {
        sendFragments(Self.unit(500), size: 200, at: 0)
        session.send(Self.payload([Self.unit(20), Self.unit(30)]), at: 1_024, marker: true)
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            let wide = ElementaryMedium.Coding.aac(
                sizeLength: 1 + seed % 16, indexLength: seed % 17, indexDeltaLength: seed % 5)
            var depacketizer = try SoundDepacketizer(seed % 2 == 0 ? .aac() : wide)
            let units = Session.frames(session.packets.map { mutation.damage($0) }, of: &depacketizer)
            #expect(units.allSatisfy { (8...8_191).contains($0.bytes.count) })
        }
    }
}
