// SPDX-License-Identifier: Apache-2.0
import Media
import TestSupport
import Testing
import Time
import TransportStream
import Venue

@testable import Reception

/// Each fault of ETSI TR 101 290 in a stream that has no other: what fires, and that nothing else does.
@Suite struct StreamMonitorTests {
    static let start = Monotonic(nanoseconds: 7_000_000_000)

    static func feed(_ limits: MonitorLimits = MonitorLimits()) -> StreamFeed {
        StreamFeed(program: nil, into: HistoryBuffer(span: .seconds(10), capacity: 4 << 20), limits: limits)
    }

    /// - Parameter packets: in each datagram, which comes when its last packet was sent.
    static func watch(
        _ stream: MadeStream, packets: Int = 1, limits: MonitorLimits = MonitorLimits()
    ) -> StreamFeed {
        var feed = feed(limits)
        store(stream, packets: packets, into: &feed)
        return feed
    }

    static func store(_ stream: MadeStream, packets: Int = 1, into feed: inout StreamFeed) {
        var next = 0
        while next < stream.packets.count {
            let end = min(next + packets, stream.packets.count)
            let bytes = stream.packets[next..<end].flatMap(\.bytes)
            bytes.withUnsafeBytes {
                feed.store($0, at: start + stream.packets[end - 1].sent, afterLoss: false)
            }
            next = end
        }
    }

    /// Those that fired, and how often.
    static func fired(_ feed: StreamFeed) -> [StreamIndicator: Int64] {
        let all = StreamIndicator.allCases.map { ($0, feed.faults[$0]) }.filter { $0.1 != 0 }
        return Dictionary(uniqueKeysWithValues: all)
    }

    @Test(arguments: [1, 7]) func findsNothingInAFaultlessStream(packets: Int) {
        var feed = Self.watch(MadeStream(seconds: 20), packets: packets)
        #expect(Self.fired(feed) == [:])
        #expect(feed.isConstantRate && feed.overdue == [])
        let worst = feed.takeWorstPCR()
        #expect(worst < Nanoseconds(40))
    }

    // MARK: Priority 1

    @Test func countsATableThatStaysAway() {
        var stream = MadeStream(seconds: 6)
        stream.silence(2_000..<2_600, where: \.isAssociation)
        stream.silence(4_000..<4_600, where: \.isMap)
        #expect(Self.fired(Self.watch(stream)) == [.pat: 1, .pmt: 1])
        var patient = MonitorLimits()
        (patient.pat, patient.pmt) = (.seconds(1), .seconds(1))
        #expect(Self.fired(Self.watch(stream, limits: patient)) == [:])
    }

    @Test func countsWhatDoesNotBelongOnThePIDOfThePAT() {
        var stream = MadeStream(seconds: 3)
        let map = PMT(programNumber: 9, pcrPID: nil, streams: []).section(version: 0)
        stream.insert(MadeStream.packet(0, section: map), at: 1_500)
        stream.renumber()
        #expect(Self.fired(Self.watch(stream)) == [.pat: 1])
    }

    @Test func countsScrambledTables() throws {
        var stream = MadeStream(seconds: 3)
        let first = try #require(stream.index(from: 1_000, where: \.isAssociation))
        stream.packets[first].bytes[3] |= 0x80
        let second = try #require(stream.index(from: 1_000, where: \.isMap))
        stream.packets[second].bytes[3] |= 0xC0
        #expect(Self.fired(Self.watch(stream)) == [.pat: 1, .pmt: 1])
    }

    @Test func countsMissingPackets() throws {
        var stream = MadeStream(seconds: 3)
        for time in [1_000, 1_500, 2_000] as [Int64] {
            stream.packets.remove(at: try #require(stream.index(from: time) { $0.pid == 0x100 && $0.hasPayload }))
        }
        #expect(Self.fired(Self.watch(stream)) == [.continuityCount: 3])
    }

    @Test func countsAPIDThatStaysAway() {
        var stream = MadeStream(seconds: 14)
        stream.silence(1_000..<5_500, where: \.isAudio)
        #expect(Self.fired(Self.watch(stream)) == [.pts: 1])
        stream.silence(1_000..<7_000, where: \.isAudio)
        #expect(Self.fired(Self.watch(stream)) == [.pts: 1, .pid: 1])
    }

    @Test func countsSyncBytes() throws {
        var stream = MadeStream(seconds: 4)
        let place = try #require(stream.index(from: 1_000, where: \.isNull))
        stream.packets[place].bytes[0] = 0x48
        #expect(Self.fired(Self.watch(stream, packets: 7)) == [.syncByte: 1])
        var worse = MadeStream(seconds: 4)
        let run = try #require(
            worse.packets.indices.first { index in
                index > 1_400 && index % 7 == 1 && worse.packets[index..<index + 2].allSatisfy(\.isNull)
            })
        for index in run..<run + 2 { worse.packets[index].bytes[0] = 0 }
        #expect(Self.fired(Self.watch(worse, packets: 7)) == [.syncByte: 2, .syncLoss: 1])
    }

    /// The framer passes over good packets between bad ones; those are none.
    @Test func countsEachOfSeveralSyncBytes() {
        var stream = MadeStream(seconds: 4)
        let place = 1_401  // the second of its datagram
        for index in [place, place + 2, place + 4] { stream.packets[index].bytes[0] = 0 }
        let found = Self.fired(Self.watch(stream, packets: 7))
        #expect(found[.syncByte] == 3 && found[.syncLoss] == nil)
    }

    // MARK: Priority 2

    @Test func countsPacketsThatWereMarked() {
        var stream = MadeStream(seconds: 2)
        stream.change(1_000..<1_100, where: \.isNull) { $0[1] |= 0x80 }
        let count = stream.packets.filter { $0.bytes[1] & 0x80 != 0 }.count
        #expect(count > 10 && Self.fired(Self.watch(stream)) == [.transport: Int64(count)])
    }

    /// PAT, map and service description as their readers see them; CAT, NIT, EIT and TOT by ourselves.
    @Test(arguments: [0x00, 0x01, 0x10, 0x11, 0x12, 0x14] as [UInt16])
    func countsBrokenTables(pid: UInt16) {
        let tables: [UInt16: UInt8] = [0: 0x00, 1: 0x01, 0x10: 0x40, 0x11: 0x42, 0x12: 0x4E, 0x14: 0x73]
        var section: [UInt8] = [tables[pid] ?? 0, 0xB0, 9 + 5, 0, 1, 0xC1, 0, 0, 1, 2, 3, 4, 5]
        section += [UInt8](bigEndian: CRC32MPEG.checksum(of: section))
        var broken = section
        broken[9] ^= 0x10
        for (bytes, expected) in [(section, [:]), (broken, [.crc: 2])] as [([UInt8], [StreamIndicator: Int64])] {
            var stream = MadeStream(seconds: 3)
            // A whole PAT that says otherwise would be another stream.
            guard pid != 0 || bytes == broken else { continue }
            for time in [1_000, 2_000] as [Int64] { stream.insert(MadeStream.packet(pid, section: bytes), at: time) }
            stream.renumber()
            #expect(Self.fired(Self.watch(stream)) == expected)
        }
    }

    @Test func countsTheBrokenMap() throws {
        var stream = MadeStream(seconds: 3)
        let place = try #require(stream.index(from: 1_000, where: \.isMap))
        stream.packets[place].bytes[20] ^= 1
        #expect(Self.fired(Self.watch(stream)) == [.crc: 1])
    }

    @Test func countsAClockThatStaysAway() {
        var stream = MadeStream(seconds: 5)
        stream.silence(1_000..<1_050, where: \.hasClock)
        #expect(Self.fired(Self.watch(stream)) == [.pcrInterval: 1])
        stream.silence(2_000..<2_100, where: \.hasClock)
        #expect(Self.fired(Self.watch(stream)) == [.pcrInterval: 2, .pcrRepetition: 1, .pcrDiscontinuity: 1])
        var limits = MonitorLimits()
        limits.pcrDiscontinuity = .milliseconds(200)
        limits.pcrRepetition = .milliseconds(40)
        limits.pcrInterval = .milliseconds(150)
        #expect(Self.fired(Self.watch(stream, limits: limits)) == [.pcrRepetition: 2])
    }

    @Test func countsAClockThatJumps() {
        for (ticks, isFlagged, expected) in [
            (13_500_000, false, [.pcrDiscontinuity: 1]), (-13_500_000, false, [.pcrDiscontinuity: 1]),
            (13_500_000, true, [:]),
        ] as [(Int64, Bool, [StreamIndicator: Int64])] {
            var stream = MadeStream(seconds: 4)
            stream.moveClock(2_000..<9_000, by: ticks, isFlagged: isFlagged)
            let feed = Self.watch(stream)
            #expect(Self.fired(feed) == expected)
            #expect(feed.isConstantRate)
        }
    }

    /// 13 ticks are 481 ns, 14 are 519.
    @Test func countsAClockThatIsInaccurate() {
        for (ticks, expected) in [(13, [:]), (-13, [:]), (14, [.pcrAccuracy: 1]), (-20, [.pcrAccuracy: 1])]
            as [(Int64, [StreamIndicator: Int64])]
        {
            var stream = MadeStream(seconds: 4)
            stream.moveClock(2_000..<2_019, by: ticks)
            var feed = Self.watch(stream)
            #expect(Self.fired(feed) == expected, "\(ticks)")
            let worst = feed.takeWorstPCR()
            #expect(worst >= Nanoseconds(480))
        }
    }

    /// Where the rate varies positions say nothing of the clock: a faultless stream without its null packets.
    @Test func measuresNoAccuracyWithoutAConstantRate() {
        var stream = MadeStream(seconds: 10)
        let all = stream.packets
        stream.packets.removeAll(where: \.isNull)
        #expect(Self.fired(Self.watch(stream)) == [:])
        // Nor with some of them.
        var random = SplitMix64(seed: 3)
        stream.packets = all.filter { !$0.isNull || .random(in: 0..<4, using: &random) == 0 }
        let feed = Self.watch(stream)
        #expect(Self.fired(feed) == [:] && !feed.isConstantRate)
    }

    @Test func countsUnitsWithoutTimes() {
        var stream = MadeStream(seconds: 4)
        stream.change(1_000..<1_600, where: { $0.isVideo && $0.startsUnit }) { $0[11] &= 0x3F }
        #expect(Self.fired(Self.watch(stream)) == [:])
        stream.change(1_000..<1_800, where: { $0.isVideo && $0.startsUnit }) { $0[11] &= 0x3F }
        #expect(Self.fired(Self.watch(stream)) == [.pts: 1])
    }

    @Test func countsScramblingThatNoTableTellsOf() {
        var stream = MadeStream(seconds: 12)
        stream.change(1_000..<8_000, where: { $0.isVideo && $0.hasPayload }) { $0[3] |= 0x80 }
        #expect(Self.fired(Self.watch(stream)) == [.cat: 1])
        var section: [UInt8] = [0x01, 0xB0, 9, 0xFF, 0xFF, 0xC1, 0, 0]
        section += [UInt8](bigEndian: CRC32MPEG.checksum(of: section))
        for time in stride(from: 500, to: 12_000, by: 1_000) as StrideTo<Int64> {
            stream.insert(MadeStream.packet(1, section: section), at: time)
        }
        stream.renumber()
        #expect(Self.fired(Self.watch(stream)) == [:])
        section[0] = 0x7E
        section.replaceSubrange(8..., with: [])
        section += [UInt8](bigEndian: CRC32MPEG.checksum(of: section))
        stream.insert(MadeStream.packet(1, section: section), at: 3_000)
        stream.renumber()
        #expect(Self.fired(Self.watch(stream)) == [.cat: 1])
    }
}
