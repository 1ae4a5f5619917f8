// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time

/// How much later than a server without delay a client presents: at least, and at most. From its earliest and latest
/// presentation timestamps.
struct PresentationDelays: Hashable, Sendable {
    /// Nil if there is no bound.
    let earliest: Nanoseconds?
    let latest: Nanoseconds?

    init(earliest: Nanoseconds?, latest: Nanoseconds?) { (self.earliest, self.latest) = (earliest, latest) }

    /// Nil for timestamps that nobody could meet.
    /// - Parameters:
    ///   - timeline: the server's, as it is presented.
    ///   - appliedDelay: how much of that is delay.
    init?(_ timestamps: PresentationTimestamps, on timeline: FollowedTimeline, appliedDelay: Nanoseconds) {
        func delay(_ bound: PresentationTimestamps.Bound) -> Nanoseconds?? {
            guard let instant = bound.wallClockTime else { return .some(nil) }
            guard let presented = timeline.instant(of: bound.contentTime) else { return nil }
            let (later, overflows) = instant.nanoseconds.subtractingReportingOverflow(presented.nanoseconds)
            return overflows ? nil : Nanoseconds(later.clampedSum(appliedDelay.count))
        }
        guard let earliest = delay(timestamps.earliest), let latest = delay(timestamps.latest) else { return nil }
        if let earliest, let latest, earliest > latest { return nil }
        (self.earliest, self.latest) = (earliest, latest)
    }

    /// The delay at which the most demanding client that can be waited for presents together with all others: the
    /// greatest earliest presentation that is not beyond any client's latest, brought into the range.
    /// - Parameter range: what the server is willing to do. A client whose latest presentation is before it is not
    ///   waited for, as it cannot follow anyway.
    /// - Returns: nil if no client has such a bound.
    static func common(_ clients: [PresentationDelays], in range: ClosedRange<Nanoseconds>) -> Nanoseconds? {
        let possible = clients.filter { $0.latest.map { $0 >= range.lowerBound } ?? true }
        let limit = possible.compactMap(\.latest).min()
        let bounds = possible.compactMap(\.earliest).filter { earliest in limit.map { earliest <= $0 } ?? true }
        return bounds.max().map { min(max($0, range.lowerBound), range.upperBound) }
    }
}
