// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Where a session's play-head stands. Media carry a media time: the instant at which they arrived, or would have by
/// the stream's own clock; `delay` is what lies between that and their presentation. Written by the session's two
/// threads, one at a time, read by the render and the audio thread, so that both present the same instant.
public final class PlayHead: Sendable {
    public struct State: Hashable, Sendable {
        /// From media time to presentation: D, and how far back a rewind has gone.
        public var delay: Nanoseconds
        /// Nothing is due.
        public var isPaused: Bool
        /// Number of the last seek. Media of another epoch are thrown away unpresented.
        public var epoch: Int

        public init(delay: Nanoseconds, isPaused: Bool = false, epoch: Int = 0) {
            self.delay = delay
            self.isPaused = isPaused
            self.epoch = epoch
        }

        /// When what has this media time is due; nil while paused.
        public func due(_ time: Monotonic) -> Monotonic? { isPaused ? nil : time + delay }
    }

    private let cell: LatestValue<State>

    public init(_ state: State) { cell = LatestValue(state) }

    public var state: State { cell.value }

    /// The session's threads only, each call after the one before.
    public func set(_ state: State) { cell.set(state) }
}
