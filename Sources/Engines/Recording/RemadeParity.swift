// SPDX-License-Identifier: Apache-2.0
import Bytes
import ErasureCoding
import RTP
import Time

/// Makes the sums of parity packets (SMPTE ST 2022-1) again, of packets that have zeros where nothing was recorded. The
/// sums of their headers are recorded and stay.
struct RemadeParity {
    /// Packets by sequence number, received or recovered, and when.
    private var packets: [UInt16: [(time: Monotonic, octets: [UInt8])]] = [:]

    init(of inputs: [RecordedInput]) {
        for input in inputs where input.kind == .recovered || input.kind == .datagram && input.part < 2 {
            guard let header = input.octets.withUnsafeBytes({ try? RTPHeader($0) }) else { continue }  // no RTP
            packets[header.sequence, default: []].append((input.time, input.octets))
        }
    }

    /// - Returns: the datagram with its sum, as long as it was; with zeros if a packet of its group is not known.
    func remade(_ datagram: [UInt8], at time: Monotonic) -> [UInt8] {
        let header: ParityHeader? = datagram.withUnsafeBytes {
            var reader = WireReader($0)
            return try? ParityHeader(from: &reader)  // the repairer counts it
        }
        guard let header, datagram.count > ParityHeader.size else { return datagram }
        var result = datagram
        var sequence = header.base
        for _ in 0..<header.count {
            guard let packet = packet(sequence, near: time) else { return datagram }
            for (index, octet) in packet.dropFirst(RTPHeader.size).enumerated()
            where ParityHeader.size + index < result.count {
                result[ParityHeader.size + index] ^= octet
            }
            sequence &+= UInt16(header.offset)
        }
        return result
    }

    private func packet(_ sequence: UInt16, near time: Monotonic) -> [UInt8]? {
        packets[sequence]?.min { ($0.time - time).count.magnitude < ($1.time - time).count.magnitude }?.octets
    }
}
