// SPDX-License-Identifier: Apache-2.0
import Buffers
import Time

/// Pictures from a session's decode thread (writer) to the render thread (reader). When it is full the decode thread
/// waits for `drained`: what is not decoded yet stays in the history.
public final class FrameQueue: Sendable {
    /// Names the session in the render thread's reports.
    public let session: Int
    private let ring: HandoffRing<TimedFrame>
    private let filled: Wakeup
    private let drained = Wakeup()

    /// - Parameters:
    ///   - capacity: pictures, 2...64; each holds a buffer of its decoder.
    ///   - filled: the render thread's own wake-up.
    public init(session: Int, capacity: Int, filled: Wakeup) {
        precondition((2...64).contains(capacity))
        self.session = session
        ring = HandoffRing(capacity: capacity)
        self.filled = filled
    }

    public var isFull: Bool { ring.isFull }

    /// Writer only; a bug when full.
    public func put(_ frame: consuming TimedFrame) {
        guard ring.offer(frame) == nil else { preconditionFailure("frame queue is full") }
        filled.signal()
    }

    /// Writer only: waits until there may be room, or `deadline`.
    public func waitForRoom(until deadline: Monotonic) { drained.wait(until: deadline) }

    /// Reader only. Nil when empty.
    public func take() -> TimedFrame? {
        let frame = ring.take()
        if frame != nil { drained.signal() }
        return frame
    }
}
