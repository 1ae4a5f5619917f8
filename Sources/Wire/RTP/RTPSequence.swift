// SPDX-License-Identifier: Apache-2.0

/// Follows the sequence numbers of one SSRC (after RFC 3550 A.1) and says of each packet what it means.
///
/// A packet far from where it should be is believed only when the next one follows it: then the sender restarted. The
/// last 128 numbers are remembered, so that a late packet and a second copy are told apart.
@frozen
public struct RTPSequence: Sendable {
    @frozen
    public enum Verdict: Sendable, Equatable {
        case inOrder
        /// The packet is the newest; so many are missing just before it (some may yet come late).
        case lost(Int)
        case duplicate
        /// Missing till now; it belongs before packets that came already.
        case late
        /// Far off, and not yet confirmed by a successor.
        case stray
        /// The second in a row from a new place: the counting starts again at the stray before.
        case restart
    }

    /// A jump ahead of this many or more is no loss but a stray.
    @inlinable public static var maximumDropout: Int { 3000 }
    /// A packet this far behind or further is a stray.
    @inlinable public static var maximumMisorder: Int { 100 }

    /// Packets that took a place of their own.
    public private(set) var received: UInt64 = 0
    public private(set) var duplicates: UInt64 = 0
    /// Packets that came late, and are no longer counted as lost.
    public private(set) var reordered: UInt64 = 0
    public private(set) var strays: UInt64 = 0
    public private(set) var restarts: UInt64 = 0
    /// Places from the first number on, over all restarts.
    public private(set) var expected: UInt64 = 0
    /// Places that no packet has taken so far.
    public var lost: UInt64 { expected &- received }

    private var highest: UInt16?
    /// The number that would confirm the last stray.
    private var confirming: UInt16?
    /// Bit n: the packet n before `highest` was received.
    private var recent: (low: UInt64, high: UInt64) = (0, 0)

    /// From the number that it began with to `highest`, so far as `recent` reaches.
    private var places = 0

    public init() {}

    public mutating func receive(_ sequence: UInt16) -> Verdict {
        guard let highest else {
            begin(at: sequence)
            return .inOrder
        }
        let ahead = Int(sequence &- highest)
        if ahead > 0, ahead < RTPSequence.maximumDropout {
            advance(by: ahead)
            confirming = nil
            return ahead == 1 ? .inOrder : .lost(ahead - 1)
        }
        let behind = Int(highest &- sequence)
        if behind < RTPSequence.maximumMisorder {
            guard take(behind) else {
                duplicates &+= 1
                return .duplicate
            }
            if behind >= places { expected &+= 1 }  // from before the beginning: no place that was missing
            reordered &+= 1
            received &+= 1
            return .late
        }
        guard sequence == confirming else {
            strays &+= 1
            confirming = sequence &+ 1
            return .stray
        }
        restarts &+= 1
        begin(at: sequence &- 1)  // the stray, which is one no more
        strays &-= 1
        advance(by: 1)
        return .restart
    }

    private mutating func begin(at sequence: UInt16) {
        highest = sequence
        confirming = nil
        recent = (1, 0)
        places = 1
        received &+= 1
        expected &+= 1
    }

    private mutating func advance(by count: Int) {
        highest = highest.map { $0 &+ UInt16(truncatingIfNeeded: count) }
        recent =
            count < 64
            ? (recent.low << UInt64(count), recent.high << UInt64(count) | recent.low >> UInt64(64 - count))
            : (0, count < 128 ? recent.low << UInt64(count - 64) : 0)
        recent.low |= 1
        places = min(places + count, 128)
        received &+= 1
        expected &+= UInt64(count)
    }

    /// - Returns: false when the place was taken.
    private mutating func take(_ behind: Int) -> Bool {
        let bit = UInt64(1) << UInt64(behind & 63)
        if behind < 64 {
            defer { recent.low |= bit }
            return recent.low & bit == 0
        }
        defer { recent.high |= bit }
        return recent.high & bit == 0
    }
}
