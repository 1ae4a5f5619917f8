// SPDX-License-Identifier: Apache-2.0

/// A set of RTP sequence numbers within a limited span, one bit for each. All memory is taken in `init`.
struct SequenceSet: ~Copyable {
    /// How many consecutive numbers the set tells apart.
    let span: Int
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// - Parameter span: a power of two, 64...32768.
    init(span: Int) {
        precondition((64...32_768).contains(span) && span & (span - 1) == 0)
        self.span = span
        words = .allocate(capacity: span / 64)
        words.initialize(repeating: 0)
    }

    deinit { words.deallocate() }

    func contains(_ sequence: UInt16) -> Bool {
        let bit = place(sequence)
        return words[bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }

    mutating func insert(_ sequence: UInt16) {
        let bit = place(sequence)
        words[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    mutating func remove(_ sequence: UInt16) {
        let bit = place(sequence)
        words[bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    mutating func fill(_ isMember: Bool) { words.update(repeating: isMember ? .max : 0) }

    /// Distance from `sequence` to the first member at or after it; nil if there is none within the span.
    func distance(toMemberFrom sequence: UInt16) -> Int? {
        var distance = 0
        while distance < span {
            let bit = place(sequence &+ UInt16(truncatingIfNeeded: distance))
            let rest = words[bit >> 6] >> UInt64(bit & 63)
            if rest != 0 {
                distance += rest.trailingZeroBitCount
                return distance < span ? distance : nil
            }
            distance += 64 - bit & 63
        }
        return nil
    }

    private func place(_ sequence: UInt16) -> Int { Int(sequence) & (span - 1) }
}
