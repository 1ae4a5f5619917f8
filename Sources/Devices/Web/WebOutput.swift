// SPDX-License-Identifier: Apache-2.0

/// Messages on their way to a socket, piece by piece.
struct WebOutput {
    struct Piece {
        let octets: ArraySlice<UInt8>
        /// Of its message.
        let isFirst: Bool
        let isLast: Bool
    }

    private var messages: [[UInt8]] = []
    private var next = 0
    /// Of the message at `next`.
    private var offset = 0

    var isEmpty: Bool { next == messages.count }

    mutating func append(_ message: [UInt8]) {
        guard !message.isEmpty else { return }
        messages.append(message)
    }

    /// What has not been begun is dropped for `message`.
    /// - Returns: how many were dropped.
    mutating func replace(with message: [UInt8]) -> Int {
        let kept = offset > 0 ? next + 1 : next
        let dropped = messages.count - kept
        messages.removeLast(dropped)
        append(message)
        return dropped
    }

    mutating func removeAll() { self = WebOutput() }

    /// - Parameter limit: octets, at least 1.
    func piece(limit: Int) -> Piece? {
        guard !isEmpty else { return nil }
        let message = messages[next]
        let end = min(message.count, offset + limit)
        return Piece(octets: message[offset..<end], isFirst: offset == 0, isLast: end == message.count)
    }

    /// The piece that was last asked for has gone.
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
