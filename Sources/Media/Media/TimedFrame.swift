// SPDX-License-Identifier: Apache-2.0
import Time

/// A picture and its media time. The playback clock (`PlaybackClock`) says when it is due on the screen.
public struct TimedFrame: ~Copyable, Sendable {
    public let frame: VideoFrame
    public let time: Monotonic
    /// Number of the last seek, see `PlaybackClock.State.epoch`.
    public let epoch: Int
    /// Whether it is shown as soon as the render thread gets it, even while paused: the first picture of a channel or
    /// of a seek.
    public let isImmediate: Bool
    /// Time from the first field of an interlaced picture to its second; zero if the picture is shown whole.
    public let fieldSpan: Nanoseconds

    public init(
        frame: consuming VideoFrame, time: Monotonic, epoch: Int = 0, isImmediate: Bool = false,
        fieldSpan: Nanoseconds = .zero
    ) {
        self.frame = frame
        self.time = time
        self.epoch = epoch
        self.isImmediate = isImmediate
        self.fieldSpan = fieldSpan
    }
}
