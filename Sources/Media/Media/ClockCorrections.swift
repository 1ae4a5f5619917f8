// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Time

/// By how much units that wait in a queue belong later than the clock said when they were put there. Another timeline
/// corrects nothing of the one before.
/// - Thread: the queue's writer calls `correct` and `begin`, its reader `since`.
public final class ClockCorrections: Sendable {
    /// What holds for a unit when it is put.
    public struct Mark: BitwiseCopyable, Sendable {
        let timeline: Int
        let sum: Int64
    }

    private let timeline = Atomic<Int>(0)
    /// The sum of all corrections, in nanoseconds.
    private let sum = Atomic<Int64>(0)

    public init() {}

    /// What was put since the timeline began belongs so much later.
    public func correct(by span: Nanoseconds) { sum.wrappingAdd(span.count, ordering: .releasing) }

    /// What is put from now on is of another timeline.
    public func begin() { timeline.wrappingAdd(1, ordering: .releasing) }

    public var mark: Mark {
        Mark(timeline: timeline.load(ordering: .relaxed), sum: sum.load(ordering: .relaxed))
    }

    public func since(_ mark: Mark) -> Nanoseconds {
        // The sum first: one of another timeline is read only where its beginning is, too.
        let now = sum.load(ordering: .acquiring)
        return timeline.load(ordering: .acquiring) == mark.timeline ? Nanoseconds(now &- mark.sum) : .zero
    }
}
