// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time
import Venue

@testable import ErasureCoding

/// A flow of the media, the parity that is made of it, and a repairer that is given what arrives of both.
final class ParityScene {
    struct Delivered {
        let packet: [UInt8]
        let arrival: Monotonic
    }

    /// What a sender sends, in its order.
    enum Sent {
        case media(Int)
        case parity([UInt8], ParityFlow)
    }

    let repairer: ParityRepairer
    private(set) var recovered: [Delivered] = []
    private(set) var passedOn: [[UInt8]] = []
    var now = Monotonic(nanoseconds: 1_000_000_000)

    init(span: Nanoseconds = .seconds(1), packets: Int = 1_024) {
        repairer = ParityRepairer(RepairParity(columns: nil, rows: nil, span: span), packets: packets)
    }

    func media(_ packet: [UInt8]) {
        now += .microseconds(10)
        packet.withUnsafeBytes { repairer.mediaReceived($0, at: now, deliver: delivered) }
    }

    func parity(_ packet: [UInt8], _ flow: ParityFlow) {
        now += .microseconds(10)
        packet.withUnsafeBytes { octets in
            switch flow {
            case .columns: repairer.columnReceived(octets, at: now, deliver: delivered)
            case .rows: repairer.rowReceived(octets, at: now, deliver: delivered)
            }
        }
    }

    func tick(after time: Nanoseconds) {
        now += time
        repairer.tick(at: now, deliver: delivered)
    }

    private func delivered(_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) {
        if isRecovered {
            recovered.append(Delivered(packet: Array(packet), arrival: arrival))
        } else {
            passedOn.append(Array(packet))
        }
    }

    /// Each parity packet became exactly one thing.
    var isAccountedFor: Bool {
        let counters = repairer.counters
        return counters.columnPackets + counters.rowPackets
            == counters.unneeded + counters.recoveredPackets + counters.unsolved + counters.unusable
            + Int64(repairer.waitingParity)
            && counters.recoveredPackets == Int64(recovered.count)
    }

    /// RTP packets of a transport stream, or of any lengths with all that a header can have.
    static func packets(
        _ count: Int, from sequence: UInt16 = 65_500, source: UInt32 = 0xCAFE, isVaried: Bool = false, seed: UInt64 = 1
    ) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        var stamp = UInt32.random(in: 0 ... .max, using: &random)
        return (0..<count).map { index in
            stamp &+= UInt32.random(in: 0...4_000, using: &random)
            let contributors = isVaried ? UInt8.random(in: 0...3, using: &random) : 0
            let flags = isVaried ? UInt8.random(in: 0...3, using: &random) << 4 | contributors : 0
            let marker: UInt8 = isVaried && Bool.random(using: &random) ? 0x80 : 0
            let least = 4 * Int(contributors)
            let octets = isVaried ? Int.random(in: least...300, using: &random) : 188
            var packet: [UInt8] = [0x80 | flags, marker | 33]
            packet += [UInt8](bigEndian: sequence &+ UInt16(truncatingIfNeeded: index))
            packet += [UInt8](bigEndian: stamp)
            packet += [UInt8](bigEndian: source)
            packet += (0..<octets).map { _ in UInt8.random(in: 0...255, using: &random) }
            return packet
        }
    }

    /// What our sender sends of these packets, to the last.
    static func sent(_ packets: [[UInt8]], by encoder: ParityEncoder) -> [Sent] {
        var all: [Sent] = []
        for (index, packet) in packets.enumerated() {
            all.append(.media(index))
            packet.withUnsafeBytes { octets in
                _ = encoder.packetSent(octets) { all.append(.parity(Array($0), $1)) }
            }
        }
        encoder.finish { all.append(.parity(Array($0), $1)) }
        return all
    }

    /// A parity packet by the book, octet by octet; knows nothing of our encoder.
    static func parity(of packets: [[UInt8]], flow: ParityFlow, offset: UInt8) -> [UInt8] {
        let longest = packets.map(\.count).max() ?? 12
        // First octets, second octets, time stamps, lengths; payloads padded with zeros.
        var sum = [UInt8](repeating: 0, count: 8 + longest - 12)
        for packet in packets {
            let length = [UInt8](bigEndian: UInt16(packet.count - 12))
            var string: [UInt8] = [packet[0] & 0x3F, packet[1]]
            string += packet[4..<8]
            string += length
            string += packet[12...]
            for (index, octet) in string.enumerated() { sum[index] ^= octet }
        }
        var parity: [UInt8] = [0x80 | sum[0], sum[1] & 0x80 | 96]
        parity += [UInt8](repeating: 0, count: 10)
        parity += packets[0][2..<4]
        parity += sum[6..<8]
        parity += [0x80 | sum[1] & 0x7F, 0, 0, 0] as [UInt8]
        parity += sum[2..<6]
        parity += [flow == .rows ? 0x40 : 0, offset, UInt8(packets.count), 0] as [UInt8]
        return parity + sum[8...]
    }

    /// Indices of the packets that a parity packet says it sums.
    static func summed(by packet: [UInt8], firstSequence: UInt16) -> [Int] {
        let base = Int((UInt16(packet[12]) << 8 | UInt16(packet[13])) &- firstSequence)
        return (0..<Int(packet[26])).map { base + $0 * Int(packet[25]) }
    }
}
