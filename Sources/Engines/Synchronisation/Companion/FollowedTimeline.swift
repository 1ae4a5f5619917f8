// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time
import Timelines

/// A television's timeline as it is followed: where it is at any instant of the wall clock, in integer arithmetic, and how
/// wrong that may be.
public struct FollowedTimeline: Hashable, Sendable {
    public let selector: TimelineSelector
    public let properties: TimelineProperties
    /// Of a clock under the wall clock, as is `correlation`.
    public let rate: ClockRate
    /// The control timestamp that counts.
    public let timestamp: ControlTimestamp
    /// The timestamp as a correlation. Its bound has the accuracy that the television
    /// states, the tick to which content times are rounded, and the corrections that are too small to be taken.
    public let correlation: ClockCorrelation
    private let path: ClockPath
    private let inverse: ClockPath

    /// Nil if the timeline is not available by the timestamp.
    public init?(_ timestamp: ControlTimestamp, of selector: TimelineSelector, _ properties: TimelineProperties) {
        guard let movement = timestamp.movement, let speed = ClockSpeed(multiplier: movement.speed),
            let rate = ClockRate(unitsPerSecond: properties.unitsPerSecond, unitsPerTick: properties.unitsPerTick)
        else { return nil }
        (self.selector, self.properties, self.timestamp, self.rate) = (selector, properties, timestamp, rate)
        correlation = ClockCorrelation(
            parentTicks: timestamp.wallClockTime.nanoseconds, ticks: movement.contentTime, speed: speed,
            bound: Self.bound(of: properties))
        let wallClock = ClockNode()
        let timeline = ClockNode(parent: wallClock, rate: rate, correlation: correlation)
        guard let path = wallClock.path(to: timeline), let inverse = timeline.path(to: wallClock) else { return nil }
        (self.path, self.inverse) = (path, inverse)
    }

    public var isPaused: Bool { correlation.speed.isPaused }

    /// - Returns: ticks, rounded to the nearest; nil if they do not fit.
    public func position(at instant: WallClockInstant) -> Int64? { path.convert(instant.nanoseconds) }

    /// When the timeline is at a place.
    /// - Returns: nil while it is paused, and if the instant does not fit.
    public func instant(of ticks: Int64) -> WallClockInstant? {
        inverse.convert(ticks).map { WallClockInstant(nanoseconds: $0) }
    }

    /// How wrong a position may be, in time of the content.
    /// - Parameter dispersion: how wrong the wall clock may be at that instant.
    /// - Returns: nil where `position` is nil; at most `Int64.max`, which stands for "nothing is known".
    public func bound(at instant: WallClockInstant, dispersion: Nanoseconds) -> Nanoseconds? {
        path.bound(at: instant.nanoseconds).map { own in
            let speed = max(1_000_000_000, correlation.speed.partsPerBillion.magnitude)
            let (high, low) = dispersion.count.magnitude.multipliedFullWidth(by: speed)
            guard high < 1_000_000_000 else { return Nanoseconds(.max) }
            let (quotient, rest) = UInt64(1_000_000_000).dividingFullWidth((high, low))
            let widened = Int64(clamping: quotient).clampedSum(rest > 0 ? 1 : 0)
            return Nanoseconds(own.count.clampedSum(widened))
        }
    }

    private static func bound(of properties: TimelineProperties) -> ErrorBound {
        // A tick lasts 10⁹ × 10⁹ ns at most.
        let tick = (properties.unitsPerTick * 1_000_000_000 - 1) / properties.unitsPerSecond + 1
        let accuracy = min((properties.accuracy ?? 0) * 1e9, 9e18).rounded(.up)
        return ErrorBound(
            Nanoseconds(Int64(accuracy).clampedSum(tick).clampedSum(TimelineFollower.leastCorrection.count)))
    }
}
