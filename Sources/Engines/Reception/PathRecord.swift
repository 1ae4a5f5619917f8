// SPDX-License-Identifier: Apache-2.0

/// Counts loss, duplicates and reordering on one path of a flow, before any repair. The fate of a packet is decided
/// once it is `patience` sequence numbers behind the newest. Allocates nothing after `init`.
struct PathRecord: ~Copyable {
    static let patience = 256
    /// A larger step in sequence numbers is taken for a sender that restarted. This many are an outage of some 20 s of
    /// a fast channel.
    private static let largestStep = 16_000

    private(set) var lost: Int64 = 0
    /// Packets that came more than once by this path.
    private(set) var duplicates: Int64 = 0
    /// Packets that came after one with a later number.
    private(set) var reordered: Int64 = 0
    private var highest: UInt16?
    private var suspected: UInt16?
    private var came = SequenceSet(span: 2 * patience)

    mutating func received(_ sequence: UInt16) {
        guard let newest = highest else { return start(at: sequence) }
        let distance = Int(Int16(bitPattern: sequence &- newest))
        switch distance {
        case 1...Self.largestStep:
            for step in 1...distance { advance(to: newest &+ UInt16(truncatingIfNeeded: step)) }
            came.insert(sequence)
            highest = sequence
            suspected = nil
        case (1 - Self.patience)...0:
            if came.contains(sequence) {
                duplicates += 1
            } else {
                came.insert(sequence)
                reordered += 1
            }
            suspected = nil
        default:
            guard suspected == sequence else {
                suspected = sequence &+ 1
                return
            }
            restart()
            start(at: sequence)
        }
    }

    /// The next packet does not continue the sequence. Packets that have not come until now are lost.
    mutating func restart() {
        guard let newest = highest else { return }
        for step in 1...Self.patience { advance(to: newest &+ UInt16(step)) }
        highest = nil
        suspected = nil
    }

    private mutating func start(at sequence: UInt16) {
        came.fill(true)
        highest = sequence
        suspected = nil
    }

    private mutating func advance(to sequence: UInt16) {
        if !came.contains(sequence &- UInt16(Self.patience)) { lost += 1 }
        came.remove(sequence)
    }
}
