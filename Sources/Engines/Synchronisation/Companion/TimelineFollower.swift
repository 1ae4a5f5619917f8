// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// Takes the control timestamps of one connection, and holds the one that counts.
struct TimelineFollower: Sendable {
    /// A correction below this is not taken unless the speed is another: it would move the picture by nothing.
    static let leastCorrection = Nanoseconds.microseconds(100)

    enum Outcome: Hashable, Sendable {
        case taken
        case insignificant
    }

    let selector: TimelineSelector
    private(set) var properties: TimelineProperties
    /// Nil before the first.
    private(set) var held: ControlTimestamp?
    /// The greatest instant of all timestamps so far.
    private var latest: WallClockTime?
    /// Timestamps with an instant before that of an earlier one.
    private(set) var backwards: UInt64 = 0
    /// Nil while it is not available.
    private(set) var timeline: FollowedTimeline?

    init(_ option: TimelineOption) { (selector, properties) = (option.selector, option.properties) }

    /// The television's word counts, also if it says something of an earlier instant than before: messages arrive in the
    /// order in which they were sent.
    mutating func receive(_ timestamp: ControlTimestamp) -> Outcome {
        if let latest, timestamp.wallClockTime < latest { backwards += 1 }
        latest = max(latest ?? timestamp.wallClockTime, timestamp.wallClockTime)
        if let held, !timestamp.isSignificant(after: held, on: properties, least: Self.leastCorrection) {
            return .insignificant
        }
        held = timestamp
        timeline = FollowedTimeline(timestamp, of: selector, properties)
        return .taken
    }

    /// The television says that the timeline counts otherwise.
    mutating func propertiesChanged(to properties: TimelineProperties) {
        guard properties != self.properties else { return }
        self.properties = properties
        timeline = held.flatMap { FollowedTimeline($0, of: selector, properties) }
    }
}
