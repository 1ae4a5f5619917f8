// SPDX-License-Identifier: Apache-2.0

/// Follows the sequence numbers of one session's packets, which were put in order before.
struct SequenceOrder: Sendable {
    enum Verdict: Equatable {
        /// The first one, or the next.
        case inOrder
        /// So many are missing before it.
        case gap(UInt64)
        /// Of what was passed already.
        case late
        case newSource
    }

    /// How far back a number is a late packet's; beyond that the sender began anew (RFC 3550 A.1, MAX_MISORDER).
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
