// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Divides messages into RTP payloads. Each run of a sender has its own writer and its own SSRC.
public struct MessageWriter: Sendable {
    /// Range of payload sizes. The smallest has room for the header, the longest content type and a part of the
    /// message; the largest fits in a datagram.
    public static let payloadRange = 256...8_192

    /// Sequence of the next message.
    public private(set) var nextSequence: UInt32
    private let payloadOctets: Int

    /// - Parameter payloadOctets: octets of the longest payload, in `payloadRange`.
    public init(payloadOctets: Int = 1_200, firstSequence: UInt32 = 0) {
        precondition(Self.payloadRange.contains(payloadOctets))
        self.payloadOctets = payloadOctets
        nextSequence = firstSequence
    }

    /// Makes the payloads of a message. To repeat a message, send the same payloads again: a receiver that has the
    /// message ignores them.
    /// - Parameter contentType: media type, at most 127 characters of printable ASCII; empty if none is stated.
    /// - Returns: the payloads of the message's packets, in order, at least one. All packets have the same RTP time
    ///   stamp; the last has the marker bit.
    public mutating func payloads(
        of octets: [UInt8], contentType: String = ""
    ) throws(MessageError) -> [[UInt8]] {
        let type = Array(contentType.utf8)
        guard 1...DataMessage.mostOctets ~= octets.count else { throw .length(octets.count) }
        guard type.count <= MessageFragment.mostTypeOctets, type.allSatisfy(MessageFragment.isAllowedInType) else {
            throw .contentType(contentType)
        }
        var sum = CRC32(.iso3309)
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
