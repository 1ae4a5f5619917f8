// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TransportStream

@Suite struct TSFramerTests {
    static func packets(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { TSPacketTests.packet([0x47, 0, 0x40, 0x10 | UInt8($0 & 0xF)]) }
    }

    private func offsets(_ bytes: [UInt8], _ framer: inout TSFramer) -> [Int] {
        var result: [Int] = []
        bytes.withUnsafeBytes { framer.forEachPacket(in: $0) { result.append($0) } }
        return result
    }

    @Test func takesAWholeDatagram() {
        var framer = TSFramer()
        #expect(offsets(Self.packets(7), &framer) == (0..<7).map { $0 * 188 })
        #expect(framer.skippedBytes == 0 && framer.malformedDatagrams == 0 && framer.resyncs == 0)
    }

    @Test func resynchronizesBehindGarbage() {
        var framer = TSFramer()
        let garbage: [UInt8] = [1, 0x47, 2, 3, 0x47]
        #expect(offsets(garbage + Self.packets(6), &framer) == (0..<6).map { 5 + $0 * 188 })
        #expect(framer.skippedBytes == 5 && framer.resyncs == 1 && framer.malformedDatagrams == 1)
        #expect(offsets(Self.packets(2) + [1] + garbage + Self.packets(2), &framer) == [0, 188, 382, 570])
        #expect(framer.skippedBytes == 11 && framer.resyncs == 2 && framer.malformedDatagrams == 2)
    }

    @Test func countsWhatIsCutOff() {
        var framer = TSFramer()
        #expect(offsets(Self.packets(2) + [0x47, 1, 2], &framer) == [0, 188])
        #expect(framer.skippedBytes == 3 && framer.malformedDatagrams == 1)
        #expect(offsets([], &framer).isEmpty && offsets([0x47], &framer).isEmpty)
        #expect(offsets(Array(repeating: 0, count: 1316), &framer).isEmpty)
        #expect(framer.skippedBytes == 3 + 1 + 1316 && framer.malformedDatagrams == 4)
    }

    /// With parity behind each packet, or a time stamp before it; one and several to a datagram.
    @Test(arguments: [1, 2, 6]) func widerForms(count: Int) {
        var framer = TSFramer()
        let parity = [UInt8](repeating: 0x47, count: 16)
        let stamp: [UInt8] = [0x47, 1, 2, 0x47]
        let (long, stamped) = (
            (0..<count).flatMap { _ in Self.packets(1) + parity }, (0..<count).flatMap { _ in stamp + Self.packets(1) }
        )
        #expect(offsets(long, &framer) == (0..<count).map { $0 * 204 })
        #expect(offsets(stamped, &framer) == (0..<count).map { $0 * 192 + 4 })
        #expect(framer.malformedDatagrams == 0 && framer.skippedBytes == 0)
        for datagram in [long, stamped, Self.packets(count)] {
            #expect(datagram.withUnsafeBytes { TSFramer.holdsPackets($0) })
            #expect(!datagram.dropLast().withUnsafeBytes { TSFramer.holdsPackets($0) })
        }
    }

    /// What has the length of a wider form, and a sync byte missing, is searched for packets.
    @Test func aWiderFormIsWhole() {
        var framer = TSFramer()
        var datagram = (0..<6).flatMap { _ in Self.packets(1) + [UInt8](repeating: 0, count: 16) }
        datagram[204 * 3] = 0
        #expect(offsets(datagram, &framer).count < 6 && framer.malformedDatagrams == 1)
    }
}
