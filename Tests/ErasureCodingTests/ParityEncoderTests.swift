// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import ErasureCoding

@Suite struct ParityEncoderTests {
    private func parity(_ sent: [ParityScene.Sent], _ flow: ParityFlow) -> [[UInt8]] {
        sent.compactMap { if case .parity(let packet, flow) = $0 { packet } else { nil } }
    }

    /// The places of parity packets among those of the media: how many of it went before.
    private func places(_ sent: [ParityScene.Sent], _ flow: ParityFlow) -> [Int] {
        var media = 0
        return sent.compactMap { one in
            switch one {
            case .media:
                media += 1
                return nil
            case .parity(_, let its): return its == flow ? media : nil
            }
        }
    }

    @Test(arguments: [false, true]) func sumsRowsAndColumns(isVaried: Bool) {
        let packets = ParityScene.packets(40, isVaried: isVaried)
        let sent = ParityScene.sent(packets, by: ParityEncoder(columns: 5, rows: 4))
        let rows = parity(sent, .rows)
        let columns = parity(sent, .columns)
        #expect(rows.count == 8 && columns.count == 10)
        for (index, row) in rows.enumerated() {
            let expected = ParityScene.parity(of: Array(packets[5 * index..<5 * index + 5]), flow: .rows, offset: 1)
            #expect(masked(row) == expected)
        }
        for (index, column) in columns.enumerated() {
            let first = index / 5 * 20 + index % 5
            let summed = (0..<4).map { packets[first + 5 * $0] }
            #expect(masked(column) == ParityScene.parity(of: summed, flow: .columns, offset: 5))
        }
    }

    /// Without the parity packet's own sequence number and time stamp.
    private func masked(_ packet: [UInt8]) -> [UInt8] {
        packet[..<2] + [0, 0, 0, 0, 0, 0] + packet[8...]
    }

    @Test func rowsFollowTheirLastPacketAndColumnsSpreadOverTheNextBlock() {
        let packets = ParityScene.packets(60)
        let sent = ParityScene.sent(packets, by: ParityEncoder(columns: 5, rows: 4))
        #expect(places(sent, .rows) == Array(stride(from: 5, through: 60, by: 5)))
        #expect(places(sent, .columns) == [21, 25, 29, 33, 37, 41, 45, 49, 53, 57] + [60, 60, 60, 60, 60])
    }

    @Test func columnsCanFollowTheirBlockAtOnce() {
        let encoder = ParityEncoder(columns: 4, rows: 4, withRows: false, timing: .atBlockEnd)
        let sent = ParityScene.sent(ParityScene.packets(40), by: encoder)
        #expect(places(sent, .columns) == [16, 16, 16, 16, 32, 32, 32, 32])
        #expect(places(sent, .rows).isEmpty)
    }

    @Test func eachFlowCountsItsOwnPackets() throws {
        let encoder = ParityEncoder(columns: 4, rows: 4, columnSequence: 65_534, rowSequence: 7)
        let packets = ParityScene.packets(16)
        let sent = ParityScene.sent(packets, by: encoder)
        #expect(parity(sent, .columns).map { Array($0[2..<4]) } == [[0xFF, 0xFE], [0xFF, 0xFF], [0, 0], [0, 1]])
        #expect(parity(sent, .rows).map { Array($0[2..<4]) } == [[0, 7], [0, 8], [0, 9], [0, 10]])
        for row in parity(sent, .rows) {
            #expect(row[0] == 0x80 && row[1] == 96 && row[8..<12].allSatisfy { $0 == 0 })
        }
        // As peers do: the time stamp of the packet of the media that went before.
        let stamps = [3, 7, 11, 15].map { packets[$0][4..<8] }
        #expect(parity(sent, .rows).map { $0[4..<8] } == stamps)
    }

    @Test func aGapBeginsANewBlock() {
        var packets = ParityScene.packets(40, from: 100)
        packets.removeSubrange(10..<12)
        let sent = ParityScene.sent(packets, by: ParityEncoder(columns: 4, rows: 4))
        let bases = parity(sent, .rows).map { Int($0[12]) << 8 | Int($0[13]) }
        #expect(bases == [100, 104, 112, 116, 120, 124, 128, 132, 136])
        #expect(parity(sent, .columns).map { Int($0[13]) } == [112, 113, 114, 115])
    }

    @Test func refusesWhatIsNoPacketOrTooLong() {
        let encoder = ParityEncoder(columns: 4, rows: 4, packetOctets: 100)
        func isTaken(_ packet: [UInt8]) -> Bool {
            packet.withUnsafeBytes { octets in encoder.packetSent(octets) { _, _ in Issue.record("parity") } }
        }
        let packet = Array(ParityScene.packets(1)[0].prefix(100))
        for count in 0..<12 { #expect(!isTaken(Array(packet.prefix(count)))) }
        #expect(!isTaken([0x40] + packet.dropFirst()) && !isTaken(packet + [0]))
        #expect(isTaken(packet))
    }

    @Test func tellsHowLongARepairTakes() {
        #expect(ParityEncoder.span(columns: 10, rows: 10, packetsPerSecond: 500) == .milliseconds(400))
    }
}
