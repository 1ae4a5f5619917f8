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

    /// What ffmpeg sends to `udp://` unless it is told a size: the packets cut wherever a datagram ends.
    @Test(arguments: [1_472, 1_400, 1_004, 700, 1_316, 64, 187, 189]) func joinsWhatIsCut(size: Int) {
        let stream = (0..<100).flatMap { index in
            TSPacketTests.packet([0x47, 0, 0x40, 0x10 | UInt8(index & 0xF), UInt8(index)])
        }
        var (joiner, joined) = (PacketJoiner(), [UInt8]())
        var rest = stream[...]
        while !rest.isEmpty {
            // The first datagram shows that packets come, whatever the size of the others.
            let datagram = Array(rest.prefix(joined.isEmpty ? max(size, 600) : size))
            rest = rest.dropFirst(datagram.count)
            datagram.withUnsafeBytes { joiner.join($0, afterLoss: false) { joined += $0 } }
        }
        #expect(joined == stream && joiner.isIdle && joiner.abandonedOctets == 0)
    }

    /// A datagram that is missing costs the packets that it cut.
    @Test func losesWhatIsCutByALostDatagram() {
        let stream = (0..<100).flatMap { index in
            TSPacketTests.packet([0x47, 0, 0x40, 0x10 | UInt8(index & 0xF), UInt8(index)])
        }
        var (joiner, found, framer) = (PacketJoiner(), [UInt8](), TSFramer())
        for (index, start) in stride(from: 0, to: stream.count, by: 1_472).enumerated() where index != 4 {
            let datagram = Array(stream[start..<min(stream.count, start + 1_472)])
            datagram.withUnsafeBytes { bytes in
                joiner.join(bytes, afterLoss: false) { whole in
                    framer.forEachPacket(in: whole) { found.append(whole[$0 + 4]) }
                }
            }
        }
        // Datagram 4 has octets 5,888 to 7,359: packets 31 to 39, of which the ends of two came.
        #expect(found == (0..<31).map { $0 } + (40..<100).map { $0 })
        #expect(joiner.abandonedOctets == 60)
    }

    /// Octets without packets are passed on, to be counted.
    @Test func joinsNothingElse() {
        var (joiner, passed) = (PacketJoiner(), 0)
        let datagrams: [[UInt8]] = [
            [], [0x47], Array(repeating: 0, count: 1_472), Self.packets(2) + [1, 2, 3], [0x80, 0x21],
        ]
        for datagram in datagrams {
            datagram.withUnsafeBytes { joiner.join($0, afterLoss: false) { passed += $0.count } }
        }
        #expect(passed == 1 + 1_472 + 379 + 2 && joiner.isIdle && joiner.cutDatagrams == 0)
    }

    @Test func joinsWithinDamagedBytes() {
        let stream = Self.packets(40)
        for seed in 0..<Mutation.count() {
            var mutation = Mutation(seed: UInt64(seed))
            var (joiner, octets) = (PacketJoiner(), 0)
            let bytes = mutation.damage(stream)
            for start in stride(from: 0, to: bytes.count, by: 1_472) {
                let datagram = Array(bytes[start..<min(bytes.count, start + 1_472)])
                datagram.withUnsafeBytes { joiner.join($0, afterLoss: start % 5 == 0) { octets += $0.count } }
            }
            joiner.abandon()
            #expect(octets + Int(joiner.abandonedOctets) == bytes.count, "seed \(seed)")
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
