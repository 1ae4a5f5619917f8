// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import Time

/// Cuts the input into packets of a flow and of what comes beside it: a kind, a length, the packet. Half of the media is
/// protected by an encoder, so that parity is sometimes found.
func fuzzParityDetector(_ bytes: UnsafeRawBufferPointer) {
    let detector = ParityDetector()
    let encoder = ParityEncoder(columns: 3, rows: 2, packetOctets: 300)
    var now = Monotonic(nanoseconds: 0)
    var (offset, beside) = (0, Int64(0))
    while offset + 2 <= bytes.count {
        let kind = bytes[offset]
        let end = min(bytes.count, offset + 2 + Int(bytes[offset + 1]))
        let packet = UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<end])
        offset = end
        now += .milliseconds(Int64(kind >> 2))
        switch kind & 3 {
        case 0:
            detector.mediaReceived(packet, at: now)
            _ = encoder.packetSent(packet) { parity, flow in
                detector.parityReceived(parity, on: flow, at: now)
                beside += 1
            }
        case 1: detector.mediaReceived(packet, at: now)
        case 2:
            detector.parityReceived(packet, on: .columns, at: now)
            beside += 1
        default:
            detector.parityReceived(packet, on: .rows, at: now)
            beside += 1
        }
    }
    precondition(detector.foreign <= beside)
    if let finding = detector.finding {
        precondition(finding.hasColumns || finding.hasRows)
        precondition(finding.span > .zero && finding.span <= .milliseconds(6_050))
    }
}
