// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// The playback clock of a session. Media carry a media time: the instant at which they arrived, or would have arrived
/// by the stream's own clock. They are presented `delay` after it. The session's two threads write the clock, one at a
/// time; the render thread and the audio thread read it, so that both present the same instant.
public final class PlaybackClock: Sendable {
    public struct State: Hashable, Sendable {
        /// Time from the media time to the presentation: the channel's play-out delay plus the distance of a rewind.
        public var delay: Nanoseconds
        /// The instant of the pause; nil while playing.
        public var pausedAt: Monotonic?
        public var isPaused: Bool { pausedAt != nil }
        /// Number of the last seek. Media of another epoch are dropped.
        public var epoch: Int
        /// How fast the delay grows while it follows another clock, parts per billion; nil if it follows none.
        public var rate: Int?
        /// Counts steps of the delay within an epoch. Sound begins again at each.
        public var steps = 0
        /// Whether others present the same by the same clock, so that it is seen which vblank is chosen.
        public var isShared: Bool { rate != nil }

        public init(delay: Nanoseconds, pausedAt: Monotonic? = nil, epoch: Int = 0) {
            self.delay = delay
            self.pausedAt = pausedAt
            self.epoch = epoch
        }

        /// The instant at which media of this media time are due; nil while paused.
        public func due(_ time: Monotonic) -> Monotonic? { isPaused ? nil : time + delay }
    }

    private let cell: LatestValue<State>

    public init(_ state: State) { cell = LatestValue(state) }

    public var state: State { cell.value }

    /// - Thread: the session's two threads, one at a time.
    public func set(_ state: State) { cell.set(state) }
}
