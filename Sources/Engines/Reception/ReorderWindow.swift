// SPDX-License-Identifier: Apache-2.0
import Time

/// Puts RTP payloads back in order. It holds early payloads for at most `hold` and at most `places` sequence numbers,
/// then gives up what is missing. All memory is taken in `init`.
///
/// Delivered arrivals never go back: a payload that fills a gap gets an arrival no later than that of the payload held
/// behind it. The stream clock relies on this.
struct ReorderWindow: ~Copyable {
    enum Verdict: Equatable {
        case inOrder, early, duplicate, late, restart
        /// A single packet far outside the sequence; believed only when its successor follows (RFC 3550 A.1).
        case suspect
    }

    static let usualPlaces = 64
    static let largestPayload = 2_048
    /// MAX_DROPOUT and MAX_MISORDER of RFC 3550 A.1.
    private static let largestDropout = 3_000
    private static let largestMisorder = 100
    private static let farewell = Nanoseconds.milliseconds(200)

    /// A power of two.
    private let places: Int
    /// Octets of one place.
    private let octets: Int
    /// How long a gap stays open.
    var hold: Nanoseconds
    private let storage: UnsafeMutableRawBufferPointer
    private let kept: UnsafeMutableBufferPointer<Kept>
    private var isKept: SequenceSet
    /// Numbers before `expected` that were delivered.
    private var delivered: SequenceSet
    private var expected: UInt16?
    private var suspected: UInt16?
    private var keptCount = 0
    private var highestKept: UInt16 = 0
    /// The next number before the sequence restarted, and until when packets of the old sequence may still come.
    private var abandoned: (next: UInt16, until: Monotonic)?
    private var gapSince = Monotonic(nanoseconds: 0)
    private var lastDelivered = Monotonic(nanoseconds: .min)
    private(set) var lost: Int64 = 0
    /// Payloads delivered.
    private(set) var passed: Int64 = 0

    private struct Kept {
        var octets = 0
        var arrival = Monotonic(nanoseconds: 0)
    }

    /// - Parameters:
    ///   - places: sequence numbers that are held behind a gap; a power of two, 64...16384.
    ///   - octets: octets of the longest payload that is held.
    init(hold: Nanoseconds, places: Int = usualPlaces, octets: Int = largestPayload) {
        self.hold = hold
        self.places = places
        self.octets = octets
        storage = .allocate(byteCount: places * octets, alignment: 64)
        kept = .allocate(capacity: places)
        kept.initialize(repeating: Kept())
        isKept = SequenceSet(span: places)
        delivered = SequenceSet(span: 2 * places)
    }

    deinit {
        storage.deallocate()
        kept.deallocate()
    }

    /// Goes on where another window, which holds nothing, stands.
    mutating func takeOver(_ other: borrowing ReorderWindow) {
        precondition(!other.isWaiting)
        (expected, suspected, abandoned) = (other.expected, other.suspected, other.abandoned)
        (lastDelivered, lost, passed) = (other.lastDelivered, other.lost, other.passed)
        guard let next = other.expected else { return }
        for step in 1...2 * UInt16(min(places, other.places)) where other.delivered.contains(next &- step) {
            delivered.insert(next &- step)
        }
    }

    /// Whether packets are held behind a gap.
    var isWaiting: Bool { keptCount > 0 }

    /// Whether a packet with this number is held or was delivered lately.
    func has(_ sequence: UInt16) -> Bool {
        guard let next = expected else { return false }
        let distance = Int(Int16(bitPattern: sequence &- next))
        guard (-places..<places).contains(distance) else { return false }
        return distance < 0 ? delivered.contains(sequence) : isKept.contains(sequence)
    }

    /// Takes a payload in order of arrival, and calls `deliver` with every payload that is now in order.
    /// - Parameter deliver: takes the payload, its arrival, and whether packets are missing before it.
    mutating func push(
        _ payload: UnsafeRawBufferPointer, sequence: UInt16, at arrival: Monotonic,
        deliver: (UnsafeRawBufferPointer, Monotonic, _ afterLoss: Bool) -> Void
    ) -> Verdict {
        guard let next = expected else {
            pass(payload, sequence, arrival, afterLoss: false, deliver)
            return .inOrder
        }
        let distance = Int(Int16(bitPattern: sequence &- next))
        switch distance {
        case 0:
            suspected = nil
            pass(payload, sequence, inStep(arrival, of: sequence), afterLoss: false, deliver)
            deliverKept(deliver)
            return .inOrder
        case 1..<places where payload.count <= octets:
            suspected = nil
            return keep(payload, sequence, arrival)
        case 1...max(Self.largestDropout, places):
            suspected = nil
            giveUp(before: sequence, deliver)
            pass(payload, sequence, arrival, afterLoss: true, deliver)
            deliverKept(deliver)
            return .inOrder
        case -max(Self.largestMisorder, places)..<0: return delivered.contains(sequence) ? .duplicate : .late
        default:
            guard !isOfBefore(sequence, at: arrival) else { return .suspect }
            guard suspected == sequence else {
                suspected = sequence &+ 1
                return .suspect
            }
            abandoned = (next, arrival + max(hold, Self.farewell))
            flush(deliver)
            pass(payload, sequence, arrival, afterLoss: true, deliver)
            return .restart
        }
    }

    /// Gives up a gap that has been open for longer than `hold`.
    mutating func expire(at now: Monotonic, deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void) {
        while keptCount > 0, now - gapSince >= hold, let next = expected,
            let gap = isKept.distance(toMemberFrom: next)
        {
            giveUp(before: next &+ UInt16(truncatingIfNeeded: gap), deliver)
            deliverKept(deliver, firstAfterLoss: true)
        }
    }

    /// Delivers all that is held, leaving its gaps.
    mutating func giveUpGaps(_ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void) {
        if keptCount > 0 { giveUp(before: highestKept &+ 1, deliver) }
    }

    /// Delivers all that is held, leaving its gaps, and forgets the sequence.
    mutating func flush(_ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void) {
        giveUpGaps(deliver)
        expected = nil
        suspected = nil
        delivered.fill(false)
    }

    /// Whether a packet belongs to the sequence before its restart: a slower path goes on bringing those for a while.
    private func isOfBefore(_ sequence: UInt16, at arrival: Monotonic) -> Bool {
        guard let abandoned, arrival < abandoned.until else { return false }
        return abs(Int(Int16(bitPattern: sequence &- abandoned.next))) <= places
    }

    private mutating func keep(
        _ payload: UnsafeRawBufferPointer, _ sequence: UInt16, _ arrival: Monotonic
    ) -> Verdict {
        guard !isKept.contains(sequence) else { return .duplicate }
        let place = place(sequence)
        slot(place).copyMemory(from: payload)
        kept[place] = Kept(octets: payload.count, arrival: inStep(arrival, of: sequence))
        if keptCount == 0 { gapSince = arrival }
        if keptCount == 0 || Int16(bitPattern: sequence &- highestKept) > 0 { highestKept = sequence }
        isKept.insert(sequence)
        keptCount += 1
        return .early
    }

    /// The arrival, but no later than that of the next payload that is held.
    private func inStep(_ arrival: Monotonic, of sequence: UInt16) -> Monotonic {
        guard keptCount > 0, Int16(bitPattern: highestKept &- sequence) > 0,
            let distance = isKept.distance(toMemberFrom: sequence &+ 1)
        else { return arrival }
        return min(arrival, kept[place(sequence &+ 1 &+ UInt16(truncatingIfNeeded: distance))].arrival)
    }

    private mutating func pass(
        _ payload: UnsafeRawBufferPointer, _ sequence: UInt16, _ arrival: Monotonic, afterLoss: Bool,
        _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void
    ) {
        lastDelivered = max(lastDelivered, arrival)
        deliver(payload, lastDelivered, afterLoss)
        passed += 1
        expected = sequence &+ 1
        delivered.insert(sequence)
    }

    private mutating func deliverKept(
        _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void, firstAfterLoss: Bool = false
    ) {
        var afterLoss = firstAfterLoss
        while keptCount > 0, let next = expected, isKept.contains(next) {
            passKept(next, afterLoss: afterLoss, deliver)
            afterLoss = false
        }
        // Payloads that are still held wait for another gap, which has been open since the first of them arrived.
        guard keptCount > 0, let next = expected, let gap = isKept.distance(toMemberFrom: next) else { return }
        gapSince = kept[place(next &+ UInt16(truncatingIfNeeded: gap))].arrival
    }

    private mutating func passKept(
        _ sequence: UInt16, afterLoss: Bool, _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void
    ) {
        let place = place(sequence)
        isKept.remove(sequence)
        keptCount -= 1
        let payload = UnsafeRawBufferPointer(rebasing: slot(place)[..<kept[place].octets])
        pass(payload, sequence, kept[place].arrival, afterLoss: afterLoss, deliver)
    }

    /// Moves on to `sequence`: packets missing before it are lost, payloads held before it are delivered.
    private mutating func giveUp(
        before sequence: UInt16, _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void
    ) {
        var isAfterLoss = false
        while let next = expected, next != sequence {
            if keptCount > 0, isKept.contains(next) {
                passKept(next, afterLoss: isAfterLoss, deliver)
                isAfterLoss = false
            } else {
                lost += 1
                isAfterLoss = true
                expected = next &+ 1
                delivered.remove(next)
            }
        }
    }

    private func slot(_ place: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: storage[place * octets..<(place + 1) * octets])
    }

    private func place(_ sequence: UInt16) -> Int { Int(sequence) & (places - 1) }
}
