// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Cuts messages into RTP payloads. One for each run of a sender: its packets have an SSRC that no other run has.
public struct MessageWriter: Sendable {
    /// Room for the header, the longest content type and something of the message, and what fits into a datagram.
    public static let payloadRange = 256...8_192

    /// Of the next message.
    public private(set) var nextSequence: UInt32
    private let payloadOctets: Int

    /// - Parameter payloadOctets: of the longest payload, `payloadRange`.
    public init(payloadOctets: Int = 1_200, firstSequence: UInt32 = 0) {
        precondition(Self.payloadRange.contains(payloadOctets))
        self.payloadOctets = payloadOctets
        nextSequence = firstSequence
    }

    /// What is sent once more goes out as the same payloads: who heard it whole does not hear it again.
    /// - Parameter contentType: media type, at most 127 characters of ASCII; empty: not said.
    /// - Returns: payloads of the message's packets, in order, never none. All have one RTP time stamp; the last has the
    ///   marker bit.
    public mutating func payloads(
        of octets: [UInt8], contentType: String = ""
    ) throws(MessageError) -> [[UInt8]] {
        let type = Array(contentType.utf8)
        guard 1...DataMessage.mostOctets ~= octets.count else { throw .length(octets.count) }
        guard type.count <= MessageFragment.mostTypeOctets, type.allSatisfy(MessageFragment.isAllowedInType) else {
            throw .contentType(contentType)
        }
        var sum = CRC32()
        type.withUnsafeBytes { sum.add($0) }
        octets.withUnsafeBytes { sum.add($0) }
        var payloads: [[UInt8]] = []
        var offset = 0
        while offset < octets.count {
            let ownType = offset == 0 ? type : []
            let room = payloadOctets - MessageFragment.headerOctets - ownType.count
            let end = min(offset + room, octets.count)
            var out = WireWriter(reserving: payloadOctets)
            MessageFragment.writeHeader(
                sequence: nextSequence, messageOctets: octets.count, offset: offset, checksum: sum.value,
                contentType: ownType, to: &out)
            out.write(contentsOf: octets[offset..<end])
            payloads.append(out.bytes)
            offset = end
        }
        nextSequence &+= 1
        return payloads
    }
}
