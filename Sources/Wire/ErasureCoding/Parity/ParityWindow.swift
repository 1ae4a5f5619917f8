// SPDX-License-Identifier: Apache-2.0
import Time

/// The last packets of the media by sequence number, which goes on beyond 16 bits here: `floor...newest`, of which some
/// are missing. A ring; owns its memory, all taken in `init`.
final class ParityWindow {
    struct Slot {
        /// Octets of the packet; 0: missing.
        var count = 0
        /// Of a packet that was made: that of the one that lent it.
        var arrival = Monotonic(nanoseconds: 0)
        /// Missing, and a parity packet that covered it could not help.
        var isMourned = false

        var isThere: Bool { count > 0 }
    }

    let capacity: Int
    /// Of the longest packet.
    let packetOctets: Int
    /// Nothing below is kept.
    private(set) var floor: Int64 = 0
    /// `floor - 1` at least.
    private(set) var newest: Int64 = -1
    private var slots: [Slot]
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameter capacity: packets, a power of two.
    init(capacity: Int, packetOctets: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        self.packetOctets = packetOctets
        stride = (packetOctets + 7) & ~7
        slots = Array(repeating: Slot(), count: capacity)
        memory = .allocate(byteCount: capacity * stride, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// The one that the number stands for, nearest the newest.
    func place(of sequence: UInt16) -> Int64 {
        newest &+ Int64(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: newest)))
    }

    func isThere(_ place: Int64) -> Bool { place >= floor && place <= newest && slots[index(place)].isThere }

    func slot(_ place: Int64) -> Slot { slots[index(place)] }

    /// Valid until the next packet is stored.
    func packet(_ place: Int64) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + index(place) &* stride, count: slots[index(place)].count)
    }

    /// Whether it is this very packet that is there.
    func holds(_ packet: UnsafeRawBufferPointer, at place: Int64) -> Bool {
        let kept = self.packet(place)
        guard kept.count == packet.count else { return false }
        var (at, difference) = (0, UInt64(0))
        while at &+ 8 <= kept.count {
            difference |=
                kept.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                ^ packet.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            at &+= 8
        }
        while at < kept.count {
            difference |= UInt64(kept[at] ^ packet[at])
            at &+= 1
        }
        return difference == 0
    }

    /// Of the packet kept longest, by its sequence number; nil when none is.
    var oldestArrival: Monotonic? {
        var place = floor
        while place <= newest {
            if slots[index(place)].isThere { return slots[index(place)].arrival }
            place &+= 1
        }
        return nil
    }

    /// Everything is forgotten; `place` is to be the next, and what comes before it may still be made.
    func restart(at place: Int64) {
        floor = place &- Int64(capacity / 2)
        newest = place &- 1
        for index in slots.indices { slots[index] = Slot() }
    }

    /// - Parameters:
    ///   - place: not below `floor`; the packets up to it must not be more than `capacity`.
    ///   - packet: at most `packetOctets`, and not empty.
    func store(_ packet: UnsafeRawBufferPointer, at place: Int64, arrival: Monotonic) {
        while newest < place {
            newest &+= 1
            slots[index(newest)] = Slot()
        }
        slots[index(place)] = Slot(count: packet.count, arrival: arrival)
        UnsafeMutableRawBufferPointer(start: memory + index(place) &* stride, count: packet.count)
            .copyMemory(from: packet)
    }

    /// It is missing, and who could have made it is gone.
    func mourn(_ place: Int64) {
        if place >= floor, place <= newest, !slots[index(place)].isThere { slots[index(place)].isMourned = true }
    }

    /// The first place is kept no longer; there must be one.
    func dropFirst() {
        precondition(floor <= newest)
        floor &+= 1
    }

    /// How far the floor rises so that nothing is kept that came before `limit`; `floor` when it need not.
    func floor(keepingSince limit: Monotonic) -> Int64 {
        var (place, answer) = (floor, floor)
        while place <= newest {
            let slot = slots[index(place)]
            if slot.isThere {
                guard slot.arrival < limit else { return answer }
                answer = place &+ 1
            }
            place &+= 1
        }
        return answer
    }

    /// The packet that is there nearest behind, else before.
    func neighbour(of place: Int64) -> Int64? {
        var behind = max(place &+ 1, floor)
        while behind <= newest {
            if slots[index(behind)].isThere { return behind }
            behind &+= 1
        }
        var before = min(place &- 1, newest)
        while before >= floor {
            if slots[index(before)].isThere { return before }
            before &-= 1
        }
        return nil
    }

    private func index(_ place: Int64) -> Int { Int(truncatingIfNeeded: place) & (capacity &- 1) }
}
