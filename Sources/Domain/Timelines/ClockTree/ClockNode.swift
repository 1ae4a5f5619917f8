// SPDX-License-Identifier: Apache-2.0
import Time

/// A clock of the clock tree. The root is the system's monotonic clock; every other clock is correlated to a parent:
/// wall clock, a television's timeline, a medium, a display's vblanks.
///
/// It is a class because several owners share one clock: the wall clock client moves it, timelines stand on it. It is
/// not `Sendable`: one thread, the control loop, owns the whole tree, which therefore needs no locks and cannot be seen
/// in the middle of a change. Other threads get a `ClockPath`, which is a value. A clock keeps its ancestors alive and
/// none of its children; it goes when nothing uses it any more.
///
/// Nobody is called back. A consumer keeps the `changeCount` that it has acted on, and compares.
public final class ClockNode {
    public let rate: ClockRate
    /// nil for the root.
    public let parent: ClockNode?
    private let depth: Int
    /// nil for the root.
    private var link: ClockLink?
    private var isAvailableItself: Bool
    private var ownChanges = 0

    /// A root: the system's monotonic clock, whose ticks are the nanoseconds of `Monotonic`. It is always available and
    /// without error.
    public init() {
        rate = .nanoseconds
        parent = nil
        depth = 0
        isAvailableItself = true
    }

    /// A clock that is not available yet, and of whose error nothing is known unless `correlation` states it.
    public init(
        parent: ClockNode, rate: ClockRate,
        correlation: ClockCorrelation = ClockCorrelation(parentTicks: 0, ticks: 0, bound: .unknown)
    ) {
        self.rate = rate
        self.parent = parent
        depth = parent.depth + 1
        link = ClockLink(correlation, rate: rate, parentRate: parent.rate)
        isAvailableItself = false
    }

    // MARK: State

    /// The correlation to the parent, which the clock may still be slewing to; nil for the root.
    public var correlation: ClockCorrelation? { link?.correlation }

    /// Whether the clock and all its ancestors are available: a timeline is lost with the wall clock under it (CSS-21:
    /// timelines start when the wall clock is available; CSS-22, CSS-23: the player starts with its timeline, and the
    /// controller is in state 6 without it).
    public var isAvailable: Bool { isAvailableItself && parent?.isAvailable ?? true }

    /// Number of changes of this clock and of its ancestors. Each change of a correlation or of an availability counts
    /// once; stating again what is so already is no change. The end of a slew is none either: it was announced with its
    /// beginning.
    public var changeCount: Int { ownChanges &+ (parent?.changeCount ?? 0) }

    /// - Returns: nil if the clocks belong to different trees.
    public func path(to other: ClockNode) -> ClockPath? {
        var (up, down): ([ClockLink], [ClockLink]) = ([], [])
        var (from, to) = (self, other)
        while from !== to {
            if from.depth >= to.depth {
                guard let link = from.link, let parent = from.parent else { return nil }
                up.append(link)
                from = parent
            } else {
                guard let link = to.link, let parent = to.parent else { return nil }
                down.append(link)
                to = parent
            }
        }
        return ClockPath(
            up: up, down: down.reversed(), isAvailable: isAvailable && other.isAvailable,
            changeCount: changeCount &+ other.changeCount)
    }

    // MARK: Changes

    /// States whether the clock itself is available. Its correlation stays, so that a consumer may let it run on.
    public func setAvailable(_ isAvailable: Bool) {
        precondition(parent != nil, "the root is always available")
        guard isAvailable != isAvailableItself else { return }
        isAvailableItself = isAvailable
        ownChanges &+= 1
    }

    /// Replaces the correlation at once. The clock may jump.
    public func step(to correlation: ClockCorrelation) { change(to: link(correlation)) }

    /// Replaces the correlation without a jump: from `start` on the clock runs faster or slower until it is where the
    /// new correlation puts it, and follows that from there. It never stands and never turns. To a paused correlation
    /// it steps. Its bound includes the distance that it has still to go.
    /// - Parameters:
    ///   - start: ticks of the parent, usually now.
    ///   - limit: the difference of speed while slewing, parts per billion, at least 1. At most half of the speed of
    ///     `correlation` is used.
    public func slew(to correlation: ClockCorrelation, from start: Int64, limit: Int64) {
        precondition(limit > 0)
        guard let current = link, current.correlation != correlation else { return }
        change(to: link(correlation).reached(from: current, start: start, limit: limit))
    }

    private func link(_ correlation: ClockCorrelation) -> ClockLink {
        guard let parent else { preconditionFailure("the root has no correlation") }
        return ClockLink(correlation, rate: rate, parentRate: parent.rate)
    }

    private func change(to new: ClockLink) {
        guard new != link else { return }
        link = new
        ownChanges &+= 1
    }
}
