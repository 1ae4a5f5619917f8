// SPDX-License-Identifier: Apache-2.0
import Time

/// The parity packets that may still be of use, in no order. Owns its memory, all taken in `init`.
final class ParityGroups {
    private(set) var count = 0
    /// Those from `count` on are free and lend their memory to what comes.
    private var groups: [ParityGroup]
    private let memory: UnsafeMutableRawPointer

    /// In front of each payload: RTP's header, and so that payloads are aligned.
    private static let room = 16

    /// - Parameter packetOctets: of the longest packet of the media.
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

    /// Where the next one's payload goes; there must be room.
    var free: ParitySum {
        var sum = groups[count].sum
        sum.clear()
        return sum
    }

    /// - Parameter group: its sum is `free`'s.
    func append(_ group: ParityGroup) {
        groups[count] = group
        count += 1
    }

    /// The last one takes its index.
    /// - Returns: the group; its memory is its own until the next is appended.
    func remove(at index: Int) -> ParityGroup {
        let group = groups[index]
        count -= 1
        groups.swapAt(index, count)
        return group
    }

    /// A packet came to its place.
    /// - Returns: whether a group now lacks one or none.
    func fill(_ place: Int64) -> Bool {
        var isAnyReady = false
        for index in 0..<count where groups[index].covers(place) {
            groups[index].missing -= 1
            if groups[index].missing <= 1 { isAnyReady = true }
        }
        return isAnyReady
    }

    /// Of the first one that came, when there is one.
    var oldest: Int? { (0..<count).min { groups[$0].arrival < groups[$1].arrival } }
}
