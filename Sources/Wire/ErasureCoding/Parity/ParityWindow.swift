// SPDX-License-Identifier: Apache-2.0
import Time

/// The last media packets by place: the sequence number extended beyond 16 bits. It is a ring of the places
/// `floor...newest`, of which some are missing. All memory is allocated in `init`.
final class ParityWindow {
    struct Slot {
        /// Octets of the packet; 0 if it is missing.
        var count = 0
        /// Arrival time; for a recovered packet that of the neighbour that lent it.
        var arrival = Monotonic(nanoseconds: 0)
        /// Whether the packet is missing and a parity packet that covered it has been removed without recovering it.
        var isMourned = false

        var isThere: Bool { count > 0 }
    }

    let capacity: Int
    /// Octets of the longest packet.
    let packetOctets: Int
    /// Lowest place that is kept.
    private(set) var floor: Int64 = 0
    /// Highest place; at least `floor - 1`.
    private(set) var newest: Int64 = -1
    private var slots: [Slot]
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameter capacity: number of packets, a power of two.
    init(capacity: Int, packetOctets: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        self.packetOctets = packetOctets
        stride = (packetOctets + 7) & ~7
        slots = Array(repeating: Slot(), count: capacity)
        memory = .allocate(byteCount: capacity * stride, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// The place of a sequence number: the one nearest to the newest.
    func place(of sequence: UInt16) -> Int64 {
        newest &+ Int64(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: newest)))
    }

    func isThere(_ place: Int64) -> Bool { place >= floor && place <= newest && slots[index(place)].isThere }

    func slot(_ place: Int64) -> Slot { slots[index(place)] }

    /// The packet at a place; valid until the next packet is stored.
    func packet(_ place: Int64) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + index(place) &* stride, count: slots[index(place)].count)
    }

    /// Whether the packet at a place is equal to `packet`.
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

    /// Arrival of the packet with the lowest place; nil if there is none.
    var oldestArrival: Monotonic? {
        var place = floor
        while place <= newest {
            if slots[index(place)].isThere { return slots[index(place)].arrival }
            place &+= 1
        }
        return nil
    }

    /// Forgets everything. `place` is to be the next; packets before it may still be recovered.
    func restart(at place: Int64) {
        floor = place &- Int64(capacity / 2)
        newest = place &- 1
        for index in slots.indices { slots[index] = Slot() }
    }

    /// - Parameters:
    ///   - place: not below `floor`, and less than `capacity` above it.
    ///   - packet: 1...`packetOctets` octets.
    func store(_ packet: UnsafeRawBufferPointer, at place: Int64, arrival: Monotonic) {
        while newest < place {
            newest &+= 1
            slots[index(newest)] = Slot()
        }
        slots[index(place)] = Slot(count: packet.count, arrival: arrival)
        UnsafeMutableRawBufferPointer(start: memory + index(place) &* stride, count: packet.count)
            .copyMemory(from: packet)
    }

    /// Marks a missing packet whose parity packet has been removed without recovering it.
    func mourn(_ place: Int64) {
        if place >= floor, place <= newest, !slots[index(place)].isThere { slots[index(place)].isMourned = true }
    }

    /// Drops the first place.
    /// - Precondition: the window is not empty.
    func dropFirst() {
        precondition(floor <= newest)
        floor &+= 1
    }

    /// The lowest floor with which no packet that arrived before `limit` is kept at the front; `floor` if it need not
    /// rise.
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

    /// Place of the nearest packet after `place`, else before it; nil if there is none.
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
