// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Time
import Venue

/// Cuts the input into packets of a flow and its parity: a kind, a length, the packet. Media gets a true header with
/// small sequence numbers, so that parity often covers it.
func fuzzParity(_ bytes: UnsafeRawBufferPointer) {
    let repairer = ParityRepairer(RepairParity(columns: nil, rows: nil, span: .milliseconds(100)), packets: 64)
    let encoder = ParityEncoder(columns: 3, rows: 2, packetOctets: 300)
    var made: Int64 = 0
    var now = Monotonic(nanoseconds: 0)
    var offset = 0
    let deliver: ParityRepairer.Delivery = { packet, _, isRecovered in
        guard isRecovered else { return }
        precondition(packet.count >= 12 && packet.count <= 1_500 && packet[0] >> 6 == 2)
        made += 1
    }
    while offset + 2 <= bytes.count {
        let kind = bytes[offset]
        let end = min(bytes.count, offset + 2 + Int(bytes[offset + 1]))
        var packet = Array(bytes[(offset + 2)..<end])
        offset = end
        now += .milliseconds(Int64(kind >> 4))
        if kind & 4 == 0, packet.count >= 12 {
            packet.replaceSubrange(0..<3, with: kind & 3 == 0 ? [0x80, 33, 0] : [0x80, 96, 0])
            packet.replaceSubrange(8..<12, with: [0, 0, 0, 1])
        }
        if kind & 8 == 0, packet.count >= 28 {
            packet[12] = 0
            packet[16] |= 0x80
            packet[24] &= 0x40
        }
        packet.withUnsafeBytes { octets in
            switch kind & 3 {
            case 0:
                repairer.mediaReceived(octets, at: now, deliver: deliver)
                encoder.packetSent(octets) { parity, flow in
                    switch flow {
                    case .columns: repairer.columnReceived(parity, at: now, deliver: deliver)
                    case .rows: repairer.rowReceived(parity, at: now, deliver: deliver)
                    }
                }
            case 1: repairer.columnReceived(octets, at: now, deliver: deliver)
            case 2: repairer.rowReceived(octets, at: now, deliver: deliver)
            default: repairer.tick(at: now, deliver: deliver)
            }
        }
    }
    repairer.finish()
    let counters = repairer.counters
    let ended = counters.unneeded + counters.recoveredPackets + counters.unsolved + counters.unusable
    precondition(counters.columnPackets + counters.rowPackets == ended && counters.recoveredPackets == made)
}
