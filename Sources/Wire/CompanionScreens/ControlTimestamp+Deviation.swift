// SPDX-License-Identifier: Apache-2.0
import Time

extension ControlTimestamp {
    /// How far this timestamp puts the timeline from where `held` has it at the same instant, in time of the content.
    /// - Returns: nil if the timeline is not available by one of the two, or the span does not fit.
    public func deviation(from held: ControlTimestamp, on timeline: TimelineProperties) -> Nanoseconds? {
        guard let movement, let before = held.movement else { return nil }
        let (elapsed, isTooLong) = wallClockTime.nanoseconds.subtractingReportingOverflow(
            held.wallClockTime.nanoseconds)
        let (ticks, isTooFar) = movement.contentTime.subtractingReportingOverflow(before.contentTime)
        let speed = Int64((before.speed * 1_000_000_000).rounded())
        guard !isTooLong, !isTooFar, let expected = elapsed.scaled(by: speed, over: 1_000_000_000),
            let moved = ticks.scaled(by: timeline.unitsPerTick * 1_000_000_000, over: timeline.unitsPerSecond)
        else { return nil }
        let (deviation, isBeyond) = moved.subtractingReportingOverflow(expected)
        return isBeyond ? nil : Nanoseconds(deviation)
    }

    /// Whether a follower that holds `held` has to take this timestamp: the timeline becomes available or unavailable, its
    /// speed is another one, or it is elsewhere by `least` or more. The instants of both do not matter: a pause may come
    /// with the very instant of the timestamp before.
    public func isSignificant(
        after held: ControlTimestamp, on timeline: TimelineProperties, least: Nanoseconds
    ) -> Bool {
        guard let movement, let before = held.movement else { return (movement == nil) != (held.movement == nil) }
        guard movement.speed == before.speed, let deviation = deviation(from: held, on: timeline) else { return true }
        // The magnitude of the least `Int64` is itself.
        return deviation.magnitude >= least || deviation.magnitude < .zero
    }
}
