// SPDX-License-Identifier: Apache-2.0
import Time

/// A picture and its media time; the play-head says when it is due on the screen.
public struct TimedFrame: ~Copyable, Sendable {
    public let frame: VideoFrame
    public let time: Monotonic
    /// See `PlayHead.State.epoch`.
    public let epoch: Int
    /// Shown as soon as it is seen, paused or not: the first picture of a channel, or of a seek.
    public let isImmediate: Bool
    /// From the first field of an interlaced picture to its second; zero: the picture is shown whole.
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
