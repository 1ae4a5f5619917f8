// SPDX-License-Identifier: Apache-2.0
import Time

/// The media time of the frames in a ring. A segment is sound without a gap; within it time passes with the frames,
/// put right at each mark.
struct MediaMarks {
    struct Mark: Equatable {
        /// Of the frame that has this time.
        var position: Int
        var time: Monotonic
        var epoch: Int
        var startsSegment: Bool
    }

    static let rate = TickRate(48_000)
    /// Frames between marks of a segment, at least.
    private static let spacing = 480
    private let capacity: Int
    private var marks: [Mark] = []
    private var first = 0

    /// - Parameter capacity: marks, 2 and more.
    init(capacity: Int) {
        self.capacity = capacity
        marks.reserveCapacity(capacity * 2)
    }

    private var count: Int { marks.count - first }

    /// In order of position.
    /// - Returns: false when a segment begins for which there is no room.
    mutating func add(_ mark: Mark) -> Bool {
        if let last = count > 0 ? marks.last : nil {
            if last.position == mark.position, mark.startsSegment {
                marks[marks.count - 1] = mark  // nothing came of the segment before
                return true
            }
            if !mark.startsSegment, mark.position - last.position < Self.spacing || count >= capacity { return true }
        }
        guard count < capacity else { return false }
        if marks.count == capacity * 2 {
            marks.removeSubrange(..<first)
            first = 0
        }
        marks.append(mark)
        return true
    }

    /// Forgets what only frames before `position` need.
    mutating func drop(before position: Int) {
        while first + 1 < marks.count, marks[first + 1].position <= position { first += 1 }
    }

    /// The mark that the frame at `position` goes by: the last at or before it, after `drop(before:)`.
    var current: Mark? { count > 0 ? marks[first] : nil }

    func time(at position: Int) -> Monotonic? {
        current.map { $0.time + Self.rate.nanoseconds(Int64(position - $0.position)) }
    }

    /// The beginning of the segment behind the one that goes on at `position`.
    func nextSegment(after position: Int) -> Mark? {
        var index = first
        while index < marks.count {
            if marks[index].startsSegment && marks[index].position > position { return marks[index] }
            index += 1
        }
        return nil
    }
}
