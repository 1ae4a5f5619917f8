// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines
import TransportStream

/// The timelines that a live stream carries, of which only what is new is told.
struct CarriedTimelines {
    /// The number that is followed at most.
    private static let most = 8

    /// What was told of each, and the arrival of the record after which.
    private var told: [(timeline: CarriedTimeline, at: Monotonic)] = []

    /// - Parameter isDue: whether something that was told then may be told again.
    /// - Returns: what is to be told; nil if it goes on as was told, or is not due.
    mutating func take(_ mark: TimelineMark, at arrival: Monotonic, isDue: (Monotonic) -> Bool) -> CarriedTimeline? {
        let timeline = CarriedTimeline(mark)
        if let index = told.firstIndex(where: { $0.timeline.id == timeline.id }) {
            guard !timeline.continues(told[index].timeline), isDue(told[index].at) else { return nil }
            told[index] = (timeline, arrival)
        } else {
            guard told.count < Self.most else { return nil }
            told.append((timeline, arrival))
        }
        return timeline
    }
}
