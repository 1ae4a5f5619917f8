// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be written to a socket, piece by piece.
struct WebOutput {
    struct Piece {
        let octets: ArraySlice<UInt8>
        /// Whether it begins its message.
        let isFirst: Bool
        let isLast: Bool
    }

    private var messages: [[UInt8]] = []
    private var next = 0
    /// Octets already sent of the message at `next`.
    private var offset = 0

    var isEmpty: Bool { next == messages.count }

    mutating func append(_ message: [UInt8]) {
        guard !message.isEmpty else { return }
        messages.append(message)
    }

    /// Drops all messages that have not been begun and appends `message`.
    /// - Returns: number of messages dropped.
    mutating func replace(with message: [UInt8]) -> Int {
        let kept = offset > 0 ? next + 1 : next
        let dropped = messages.count - kept
        messages.removeLast(dropped)
        append(message)
        return dropped
    }

    mutating func removeAll() { self = WebOutput() }

    /// - Parameter limit: octets, at least 1.
    /// - Returns: the next piece; nil if there is none.
    func piece(limit: Int) -> Piece? {
        guard !isEmpty else { return nil }
        let message = messages[next]
        let end = min(message.count, offset + limit)
        return Piece(octets: message[offset..<end], isFirst: offset == 0, isLast: end == message.count)
    }

    /// Marks the piece that was returned last as sent.
    mutating func sent(_ piece: Piece) {
        guard piece.isLast else {
            offset = piece.octets.endIndex
            return
        }
        offset = 0
        messages[next] = []
        next += 1
        if next == messages.count {
            messages.removeAll(keepingCapacity: true)
            next = 0
        } else if next >= 64 {
            messages.removeFirst(next)
            next = 0
        }
    }
}
