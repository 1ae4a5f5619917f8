// SPDX-License-Identifier: Apache-2.0
import Time

/// The media times of the frames in a ring. A segment is sound without a gap: within it, time advances with the frames
/// and is corrected at each mark.
struct MediaMarks {
    struct Mark: Equatable {
        /// Position of the frame that has this time.
        var position: Int
        var time: Monotonic
        /// Of the stream's clock: by how much the media time is more than the time stamp.
        var offset: Nanoseconds
        var epoch: Int
        var startsSegment: Bool
    }

    static let rate = TickRate(48_000)
    /// Least distance between the marks of one segment, frames.
    private static let spacing = 480
    private let capacity: Int
    private var marks: [Mark] = []
    private var first = 0

    /// - Parameter capacity: marks that are kept at most, 2 or more.
    init(capacity: Int) {
        self.capacity = capacity
        marks.reserveCapacity(capacity * 2)
    }

    private var count: Int { marks.count - first }

    /// Adds a mark. Marks come in order of position.
    /// - Returns: false if the mark begins a segment and there is no room for it.
    mutating func add(_ mark: Mark) -> Bool {
        if let last = count > 0 ? marks.last : nil {
            if last.position == mark.position, mark.startsSegment {
                marks[marks.count - 1] = mark  // no frame came of the segment before
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

    /// Forgets marks that are needed only for frames before `position`.
    mutating func drop(before position: Int) {
        while first + 1 < marks.count, marks[first + 1].position <= position { first += 1 }
    }

    /// The mark by which the frame at `position` is timed: the last one at or before it, once `drop(before:)` was
    /// called.
    var current: Mark? { count > 0 ? marks[first] : nil }

    func time(at position: Int) -> Monotonic? {
        current.map { $0.time + Self.rate.nanoseconds(Int64(position - $0.position)) }
    }

    /// The beginning of the first segment after `position`.
    func nextSegment(after position: Int) -> Mark? {
        var index = first
        while index < marks.count {
            if marks[index].startsSegment && marks[index].position > position { return marks[index] }
            index += 1
        }
        return nil
    }
}
