// SPDX-License-Identifier: Apache-2.0
import Time

/// Puts RTP payloads back in order: holds what came early for at most `hold` or `places` sequence numbers, then gives
/// up what is missing. All memory is taken in `init`.
struct ReorderWindow: ~Copyable {
    enum Verdict: Equatable {
        case inOrder, early, duplicate, late, restart
        /// One odd packet: believed only when its successor follows (RFC 3550 A.1).
        case suspect
    }

    static let places = 64
    static let largestPayload = 2_048
    /// RFC 3550 A.1.
    private static let largestDropout = 3_000
    private static let largestMisorder = -100

    private let hold: Nanoseconds
    private let storage: UnsafeMutableRawBufferPointer
    private let kept: UnsafeMutableBufferPointer<Kept>
    private var expected: UInt16?
    private var suspected: UInt16?
    /// Bit n: `expected - 1 - n` was delivered.
    private var delivered: UInt64 = 0
    private var keptCount = 0
    private var gapSince = Monotonic(nanoseconds: 0)
    private(set) var lost: Int64 = 0
    /// Payloads delivered.
    private(set) var passed: Int64 = 0

    private struct Kept {
        var octets = 0
        var arrival = Monotonic(nanoseconds: 0)
        var isUsed = false
    }

    init(hold: Nanoseconds) {
        self.hold = hold
        storage = .allocate(byteCount: Self.places * Self.largestPayload, alignment: 64)
        kept = .allocate(capacity: Self.places)
        kept.initialize(repeating: Kept())
    }

    deinit {
        storage.deallocate()
        kept.deallocate()
    }

    /// Something waits for what is missing in front of it.
    var isHolding: Bool { keptCount > 0 }

    /// Takes a payload in order of arrival; calls `deliver` with every payload that is now in order.
    /// - Parameter deliver: payload, its arrival, and whether something is missing in front of it.
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
            pass(payload, sequence, arrival, afterLoss: false, deliver)
            deliverKept(deliver)
            return .inOrder
        case 1..<Self.places where payload.count <= Self.largestPayload:
            suspected = nil
            return keep(payload, sequence, arrival)
        case 1...Self.largestDropout:
            suspected = nil
            giveUp(before: sequence, deliver)
            pass(payload, sequence, arrival, afterLoss: true, deliver)
            deliverKept(deliver)
            return .inOrder
        case Self.largestMisorder..<0:
            let age = -distance - 1
            return age < 64 && delivered >> UInt64(age) & 1 == 1 ? .duplicate : .late
        default:
            guard suspected == sequence else {
                suspected = sequence &+ 1
                return .suspect
            }
            flush(deliver)
            pass(payload, sequence, arrival, afterLoss: true, deliver)
            delivered = 1
            suspected = nil
            return .restart
        }
    }

    /// Gives up a gap that has been open for longer than `hold`.
    mutating func expire(at now: Monotonic, deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void) {
        while keptCount > 0, now - gapSince >= hold, let next = expected {
            var sequence = next
            while !kept[Self.place(sequence)].isUsed { sequence &+= 1 }
            giveUp(before: sequence, deliver)
            deliverKept(deliver, firstAfterLoss: true)
        }
    }

    /// Delivers all that is held, with its gaps, and forgets the sequence.
    mutating func flush(_ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void) {
        if let next = expected, keptCount > 0 { giveUp(before: next &+ UInt16(Self.places), deliver) }
        expected = nil
        delivered = 0
    }

    private mutating func keep(
        _ payload: UnsafeRawBufferPointer, _ sequence: UInt16, _ arrival: Monotonic
    ) -> Verdict {
        let place = Self.place(sequence)
        guard !kept[place].isUsed else { return .duplicate }
        slot(place).copyMemory(from: payload)
        kept[place] = Kept(octets: payload.count, arrival: arrival, isUsed: true)
        if keptCount == 0 { gapSince = arrival }
        keptCount += 1
        return .early
    }

    private mutating func pass(
        _ payload: UnsafeRawBufferPointer, _ sequence: UInt16, _ arrival: Monotonic, afterLoss: Bool,
        _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void
    ) {
        deliver(payload, arrival, afterLoss)
        passed += 1
        expected = sequence &+ 1
        delivered = delivered << 1 | 1
    }

    private mutating func deliverKept(
        _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void, firstAfterLoss: Bool = false
    ) {
        var afterLoss = firstAfterLoss
        while keptCount > 0, let next = expected, kept[Self.place(next)].isUsed {
            let place = Self.place(next)
            kept[place].isUsed = false
            keptCount -= 1
            let payload = UnsafeRawBufferPointer(rebasing: slot(place)[..<kept[place].octets])
            pass(payload, next, kept[place].arrival, afterLoss: afterLoss, deliver)
            afterLoss = false
        }
        // What is still held waits for another gap, open since its own first packet came.
        guard keptCount > 0 else { return }
        gapSince =
            (0..<Self.places).lazy.filter { [kept] in kept[$0].isUsed }.map { [kept] in kept[$0].arrival }
            .min() ?? gapSince
    }

    /// Moves on to `sequence`; what is missing before it is lost, what is held before it is delivered.
    private mutating func giveUp(
        before sequence: UInt16, _ deliver: (UnsafeRawBufferPointer, Monotonic, Bool) -> Void
    ) {
        var isAfterLoss = false
        while let next = expected, next != sequence {
            let place = Self.place(next)
            if keptCount > 0, kept[place].isUsed {
                kept[place].isUsed = false
                keptCount -= 1
                let payload = UnsafeRawBufferPointer(rebasing: slot(place)[..<kept[place].octets])
                pass(payload, next, kept[place].arrival, afterLoss: isAfterLoss, deliver)
                isAfterLoss = false
            } else {
                lost += 1
                isAfterLoss = true
                expected = next &+ 1
                delivered <<= 1
            }
        }
    }

    private func slot(_ place: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: storage[place * Self.largestPayload..<(place + 1) * Self.largestPayload])
    }

    private static func place(_ sequence: UInt16) -> Int { Int(sequence) % places }
}
