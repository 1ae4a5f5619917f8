// SPDX-License-Identifier: Apache-2.0
import Time

/// The parity packets that may still be of use, unordered. All memory is allocated in `init`.
final class ParityGroups {
    private(set) var count = 0
    /// Elements from `count` on are free; their memory is used for the next packets.
    private var groups: [ParityGroup]
    private let memory: UnsafeMutableRawPointer
    /// Bounds on the places that the groups cover. They may be wider than necessary.
    private(set) var lowest = Int64.max
    private var highest = Int64.min

    /// Octets in front of each payload, for an RTP header; a multiple of the alignment.
    private static let room = 16

    /// - Parameter packetOctets: octets of the longest media packet.
    init(capacity: Int, packetOctets: Int) {
        let stride = (Self.room + packetOctets + 15) & ~15
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity * stride, alignment: 16)
        self.memory = memory
        groups = (0..<capacity).map { ParityGroup(sum: ParitySum(in: memory + ($0 * stride + Self.room))) }
    }

    deinit { memory.deallocate() }

    var isFull: Bool { count == groups.count }

    subscript(index: Int) -> ParityGroup { groups[index] }

    func contains(where condition: (ParityGroup) -> Bool) -> Bool { groups[..<count].contains(where: condition) }

    /// Memory for the next group's payload.
    /// - Precondition: not full.
    var free: ParitySum {
        var sum = groups[count].sum
        sum.clear()
        return sum
    }

    /// - Parameter group: a group whose sum is `free`.
    func append(_ group: ParityGroup) {
        groups[count] = group
        count += 1
        lowest = min(lowest, group.base)
        highest = max(highest, group.last)
    }

    /// Recomputes the bounds exactly.
    func reckonBounds() {
        (lowest, highest) = (.max, .min)
        for group in groups[..<count] {
            lowest = min(lowest, group.base)
            highest = max(highest, group.last)
        }
    }

    /// Removes a group; the last group takes its index.
    /// - Returns: the group. Its memory is valid until the next group is appended.
    func remove(at index: Int) -> ParityGroup {
        let group = groups[index]
        count -= 1
        groups.swapAt(index, count)
        if count == 0 { (lowest, highest) = (.max, .min) }
        return group
    }

    /// A media packet was stored at a place.
    /// - Returns: whether a group now lacks at most one packet.
    func fill(_ place: Int64) -> Bool {
        // The usual case: a packet in order is newer than all that parity waits for.
        guard place >= lowest, place <= highest else { return false }
        var isAnyReady = false
        for index in 0..<count where groups[index].covers(place) {
            groups[index].missing -= 1
            if groups[index].missing <= 1 { isAnyReady = true }
        }
        return isAnyReady
    }

    /// Index of the group that arrived first; nil if there is none.
    var oldest: Int? { (0..<count).min { groups[$0].arrival < groups[$1].arrival } }
}
