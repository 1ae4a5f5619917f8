// SPDX-License-Identifier: Apache-2.0

/// Follows the sequence numbers of one session's packets after reordering.
struct SequenceOrder: Sendable {
    enum Verdict: Equatable {
        /// The first packet, or the next in sequence.
        case inOrder
        /// This number of packets is missing before it.
        case gap(UInt64)
        /// The packet precedes one that was taken already.
        case late
        case newSource
    }

    /// Largest step back of a late packet. A larger one means that the sender has restarted (RFC 3550 A.1,
    /// MAX_MISORDER).
    private static let misorder: Int16 = -100

    private var next: UInt16?
    private var source: UInt32 = 0

    mutating func check(_ header: RTPHeader) -> Verdict {
        defer { source = header.ssrc }
        guard let expected = next else {
            next = header.sequence &+ 1
            return .inOrder
        }
        let distance = Int16(bitPattern: header.sequence &- expected)
        let isSame = header.ssrc == source
        if isSame, distance < 0, distance >= SequenceOrder.misorder { return .late }
        next = header.sequence &+ 1
        guard isSame, distance >= 0 else { return .newSource }
        return distance == 0 ? .inOrder : .gap(UInt64(distance))
    }
}
