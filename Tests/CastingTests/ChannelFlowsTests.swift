// SPDX-License-Identifier: Apache-2.0
import Announcements
import DataMessages
import ErasureCoding
import RTP
import TestSupport
import Testing
import Time
import Venue

@testable import Casting

@Suite struct ChannelFlowsTests {
    struct Sent {
        var bytes: [UInt8]
        var flow: CastFlow
        var due: Nanoseconds
    }

    /// RTP packets of the same stream that the source made, 250 a second.
    final class Packets: DatagramSource {
        private(set) var nextSlotStart = Nanoseconds.zero
        private(set) var made: [[UInt8]] = []
        private var sequence: UInt16 = 65_000

        func nextSlot(clock: String, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) {
            for index in 0..<10 {
                let header: [UInt8] = [0x80, 33, UInt8(sequence >> 8), UInt8(sequence & 0xff), 0, 0, 0, 1, 9, 8, 7, 6]
                let packet =
                    header + [UInt8](repeating: UInt8(truncatingIfNeeded: made.count), count: 188 * (index % 7 + 1))
                sequence &+= 1
                made.append(packet)
                packet.withUnsafeBytes { body($0, nextSlotStart + .milliseconds(Int64(index) * 4)) }
            }
            nextSlotStart = nextSlotStart + .milliseconds(40)
        }
    }

    private func channel(_ change: (inout HeadEndConfiguration.CastChannel) -> Void) -> HeadEndConfiguration.CastChannel
    {
        var channel = HeadEndConfiguration.CastChannel(
            announcement: Announcement(
                streamer: Streamer.ID("s"), sessionNumber: 1,
                license: FieldOfUse(venueName: "v", contentOwner: "c", appDeveloper: "a"), name: "n",
                transport: Transport(address: "239.0.0.1", port: 5_004, encapsulation: .rtp(payloadType: 33))),
            content: .file("/nowhere"))
        change(&channel)
        return channel
    }

    private static let windows = RepairWindows(
        endpoint: FlowEndpoint(address: "239.0.0.1", port: 5_006), sourcePackets: 20, repairPackets: 6, depth: 3,
        span: .milliseconds(500))

    private func run(_ channel: HeadEndConfiguration.CastChannel, slots: Int) throws -> (made: [[UInt8]], sent: [Sent])
    {
        let source = Packets()
        let flows = ChannelFlows(source, of: channel, identity: .init(ssrc: 1, sequence: 2, timestamp: 3))
        var sent: [Sent] = []
        for _ in 0..<slots {
            try flows.nextSlot(clock: "") { sent.append(Sent(bytes: Array($0), flow: $1, due: $2)) }
        }
        return (source.made, sent)
    }

    @Test func withoutRepairThePacketsGoOutAsTheyAre() throws {
        let (made, sent) = try run(channel { _ in }, slots: 5)
        #expect(sent.map(\.bytes) == made && sent.allSatisfy { $0.flow == .media })
    }

    /// Repair is spread over the packets between which it goes, and all is in order of time.
    @Test func repairIsPacedAndInOrder() throws {
        let (_, sent) = try run(channel { $0.announcement.transport.repair = .windows(Self.windows) }, slots: 100)
        let dues = sent.map(\.due)
        #expect(zip(dues, dues.dropFirst()).allSatisfy { $0 <= $1 })
        let media = sent.count { $0.flow == .media }
        let repair = sent.count { $0.flow == .repair }
        #expect(media == 1_000)
        #expect((240...300).contains(repair))
        var (run, longest) = (0, 0)
        for packet in sent {
            run = packet.flow == .repair ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(longest <= 2)
    }

    /// Through bursts that take less than the windows bear, every packet comes out as it was made.
    @Test(arguments: Effort.seeds(20)) func windowsDecodeBack(seed: UInt64) throws {
        let channel = channel {
            $0.announcement.transport.repair = .windows(Self.windows)
            $0.plain = .init(
                transport: Transport(address: "239.0.0.1", port: 7_000, encapsulation: .rtp(payloadType: 33)),
                parity: nil)
        }
        let (made, sent) = try run(channel, slots: 60)
        #expect(sent.filter { $0.flow == .plain }.map(\.bytes) == made)
        var conditions = ImpairmentConditions()
        conditions.loss = 0.03
        conditions.meanBurst = 3
        conditions.reorder = 0.01
        conditions.duplicate = 0.01
        var impairment = Impairment(conditions, seed: seed, paths: [0, 0])
        let repairer = try #require(WindowRepairer(Self.windows))
        var delivered: [[UInt8]: Int] = [:]
        func take(_ now: Monotonic) {
            impairment.takeDue(at: now) { bytes, flow, due in
                let deliver: WindowRepairer.Delivery = { packet, _, _ in delivered[Array(packet), default: 0] += 1 }
                if flow == 0 {
                    repairer.sourceReceived(bytes, at: due, deliver: deliver)
                } else {
                    repairer.repairReceived(bytes, at: due, deliver: deliver)
                }
            }
        }
        let start = Monotonic(nanoseconds: 1_000_000_000)
        for packet in sent where packet.flow != .plain {
            take(start + packet.due)
            packet.bytes.withUnsafeBytes {
                impairment.received($0, flow: packet.flow == .media ? 0 : 1, at: start + packet.due)
            }
        }
        take(start + .seconds(60))
        repairer.tick(at: start + .seconds(60)) { _, _, _ in }
        let counters = repairer.counters
        #expect(impairment.ledgers[0].dropped > 0)
        // The last windows have no repair yet: 20 packets of each of three, and those that were full but are going out.
        let settled = made.dropLast(140)
        let missing = settled.count { delivered[$0] == nil }
        #expect(missing <= Int(counters.unrecoveredPackets))
        if counters.failed == 0 { #expect(missing == 0) }
        #expect(counters.recoveredPackets > 0)
        #expect(counters.withoutLoss + counters.repaired + counters.failed + counters.refused == counters.windows)
    }

    @Test func parityGoesOutOnFlowsOfItsOwn() throws {
        let shape = ParityShape(columns: 5, rows: 4, hasRows: true)
        let channel = channel {
            $0.announcement.transport.repair = .parity(
                RepairParity(columns: nil, rows: nil, span: .milliseconds(200)))
            $0.parity = shape
        }
        let (made, sent) = try run(channel, slots: 40)
        #expect(sent.filter { $0.flow == .media }.map(\.bytes) == made)
        #expect(sent.count { $0.flow == .rows } == 80)
        #expect((95...100).contains(sent.count { $0.flow == .columns }))
    }

    @Test func aRunIsNotTheOneBefore() throws {
        let channel = channel { $0.announcement.transport.repair = .windows(Self.windows) }
        func firstBlock(_ ssrc: UInt32) throws -> [UInt8] {
            let flows = ChannelFlows(Packets(), of: channel, identity: .init(ssrc: ssrc, sequence: 2, timestamp: 3))
            var first: [UInt8] = []
            try flows.nextSlot(clock: "") { bytes, _, _ in if first.isEmpty { first = Array(bytes.suffix(6)) } }
            return first
        }
        #expect(try firstBlock(1) != firstBlock(2))
    }
}
