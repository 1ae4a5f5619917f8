// SPDX-License-Identifier: Apache-2.0
import Time

/// Relates a clock to its parent: a pair of equal instants, the speed from there on, and the possible error. CSS-07's
/// "correlation timestamp", which maps a media timeline to the synchronisation timeline, is one of these; a control
/// timestamp of a television (content time, wall clock time, speed multiplier) is another.
public struct ClockCorrelation: Hashable, Sendable, BitwiseCopyable {
    /// The correlation point on the parent's scale.
    public let parentTicks: Int64
    /// The correlation point on the clock's own scale.
    public let ticks: Int64
    public let speed: ClockSpeed
    public let bound: ErrorBound

    public init(parentTicks: Int64, ticks: Int64, speed: ClockSpeed = .normal, bound: ErrorBound = .zero) {
        self.parentTicks = parentTicks
        self.ticks = ticks
        self.speed = speed
        self.bound = bound
    }
}
