// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time
import Timelines

/// Where a session is in its medium: what it presents at which instant.
public struct MediaPlace: Hashable, Sendable {
    /// Relates the medium's time stamps, 90 kHz, to its media time.
    public let correlation: StreamCorrelation
    /// From media time to presentation.
    public let delay: Nanoseconds
    /// When the session was paused; nil while it plays.
    public let heldAt: Monotonic?

    public init(_ correlation: StreamCorrelation, delay: Nanoseconds, heldAt: Monotonic? = nil) {
        (self.correlation, self.delay, self.heldAt) = (correlation, delay, heldAt)
    }

    /// The time stamp that is presented at an instant, as a span.
    public func presented(at now: Monotonic) -> Nanoseconds {
        Nanoseconds(((heldAt ?? now) - delay - correlation.offset).nanoseconds)
    }

    // MARK: A held picture

    /// How far a place has to be from where a picture begins, so that all who go there show the same one.
    public static let heldMargin = Nanoseconds.milliseconds(1)
    /// A picture that is farther away was shown at another place.
    private static let farthestPicture = Nanoseconds.seconds(1)

    /// The time stamp to which others go who are to hold the same picture, as a span: one well within that picture.
    /// Presented is the place of the pause, and the screen may have been half a vblank before or behind it.
    /// - Parameter shown: the time stamp of the picture on the screen, 90 kHz; nil if none is known.
    public func held(_ shown: Int64?) -> Nanoseconds {
        let place = presented(at: heldAt ?? Monotonic(nanoseconds: 0))
        guard let begin = shown.map({ TickRate.mpeg.nanoseconds($0) }),
            (place - begin).magnitude < Self.farthestPicture
        else { return place }
        return max(place - Self.heldMargin, begin + Self.heldMargin)
    }

    /// Whether this picture begins behind the place, so that it was shown a little before it was due.
    public func isBefore(_ shown: Int64?) -> Bool {
        guard let begin = shown.map({ TickRate.mpeg.nanoseconds($0) }), let heldAt else { return false }
        let early = begin - presented(at: heldAt)
        return early > .zero && early < Self.farthestPicture
    }
}

/// A television's timeline with the medium that a session plays to it (CSS-06): what should be presented at any instant of
/// the wall clock.
public struct MediaTimeline: Hashable, Sendable {
    /// The period of 33-bit time stamps of 90 kHz, rounded.
    private static let period = TickRate.mpeg.nanoseconds(StampSpan.stamps).count

    public let timeline: FollowedTimeline
    /// Ticks of the timeline are those of the medium, 90 kHz (CSS-07): both at normal speed.
    public let medium: ClockCorrelation
    /// From the wall clock to the medium's time stamps as a span, nanoseconds.
    private let path: ClockPath?

    public init(_ timeline: FollowedTimeline, medium: ClockCorrelation) {
        (self.timeline, self.medium) = (timeline, medium)
        let wallClock = ClockNode()
        let followed = ClockNode(parent: wallClock, rate: timeline.rate, correlation: timeline.correlation)
        let span = TickRate.mpeg.nanoseconds(medium.ticks).count
        path = wallClock.path(
            to: ClockNode(
                parent: followed, rate: .nanoseconds,
                correlation: ClockCorrelation(
                    parentTicks: medium.parentTicks, ticks: span, speed: medium.speed, bound: medium.bound)))
    }

    /// From ticks of a timeline to the time stamps of a medium, 90 kHz.
    public static func stamps(of medium: ClockCorrelation, at rate: ClockRate) -> ClockPath? {
        let timeline = ClockNode(
            parent: ClockNode(), rate: rate, correlation: ClockCorrelation(parentTicks: 0, ticks: 0))
        return timeline.path(to: ClockNode(parent: timeline, rate: ClockRate(.mpeg), correlation: medium))
    }

    /// How late a session presents; negative if it is early.
    /// - Parameters:
    ///   - now: by the local clock.
    ///   - wallClock: the television's wall clock at that instant.
    /// - Returns: nil if the timeline has no position then.
    public func lateness(of place: MediaPlace, at now: Monotonic, wallClock: WallClockInstant) -> Nanoseconds? {
        guard let expected = path?.convert(wallClock.nanoseconds) else { return nil }
        let late = Nanoseconds(expected) - place.presented(at: now)
        // The time stamps of a transport stream have 33 bits. Those of the session are unwrapped, so that the nearest turn
        // is meant.
        guard timeline.selector.isOfTransportStream else { return late }
        let (turns, rest) = late.count.quotientAndRemainder(dividingBy: Self.period)
        let nearest = turns + (rest > Self.period / 2 ? 1 : rest < -Self.period / 2 ? -1 : 0)
        return late - TickRate.mpeg.nanoseconds(nearest * StampSpan.stamps)
    }

    /// What the television is told of the session: when it presents, and between which instants it could.
    /// - Parameters:
    ///   - reachable: by how much the session could run ahead of where it is; negative: behind.
    public func timestamps(
        at wallClock: WallClockInstant, late: Nanoseconds, reachable: ClosedRange<Nanoseconds>
    ) -> PresentationTimestamps? {
        guard let position = timeline.position(at: wallClock) else { return nil }
        // What the timeline says of this instant, the session presents `late` later.
        func instant(_ later: Nanoseconds) -> WallClockTime {
            WallClockTime(nanoseconds: wallClock.nanoseconds &+ later.count)
        }
        return PresentationTimestamps(
            actual: .init(contentTime: position, wallClockTime: instant(late)),
            earliest: .init(contentTime: position, wallClockTime: instant(late - reachable.upperBound)),
            latest: .init(contentTime: position, wallClockTime: instant(late - reachable.lowerBound)))
    }

    /// How wrong `lateness` may be by the clocks.
    /// - Parameter dispersion: how wrong the wall clock may be at that instant.
    /// - Returns: nil where `lateness` is nil; at most `Int64.max`, which stands for "nothing is known".
    public func bound(at wallClock: WallClockInstant, dispersion: Nanoseconds) -> Nanoseconds? {
        timeline.bound(at: wallClock, dispersion: dispersion)
    }
}
