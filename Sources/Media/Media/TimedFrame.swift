// SPDX-License-Identifier: Apache-2.0
import Time

/// A picture and the instant at which it is due on the screen.
public struct TimedFrame: ~Copyable, Sendable {
    public let frame: VideoFrame
    public let due: Monotonic

    public init(frame: consuming VideoFrame, due: Monotonic) {
        self.frame = frame
        self.due = due
    }
}
