// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import Time

/// Pictures from a session's decode thread (writer) to the render thread (reader). When it is full the decode thread
/// waits for room: what is not decoded yet stays where it is.
public final class FrameQueue: Sendable {
    /// Names the session in the render thread's reports.
    public let session: Int
    /// When its pictures are due.
    public let playHead: PlayHead
    private let ring: HandoffRing<TimedFrame>
    private let filled: Wakeup
    private let drained: Wakeup
    private let wantsPicture = Interest()
    private let wantsRoom = Interest()
    private let expected = Atomic<Bool>(true)

    /// - Parameters:
    ///   - capacity: pictures, 2...64; each holds a buffer of its decoder.
    ///   - filled: the render thread's own wake-up.
    ///   - drained: the decode thread's.
    public init(session: Int, playHead: PlayHead, capacity: Int, filled: Wakeup, drained: Wakeup) {
        precondition((2...64).contains(capacity))
        self.session = session
        self.playHead = playHead
        ring = HandoffRing(capacity: capacity)
        self.filled = filled
        self.drained = drained
    }

    /// Writer only: while it is, the next `take` wakes the writer.
    public var isFull: Bool {
        guard ring.isFull else { return false }
        wantsRoom.declare()
        return ring.isFull
    }

    /// Whether a picture that does not come is missed: not of sound alone, and not behind the end of a file.
    public var expectsPictures: Bool {
        get { expected.load(ordering: .relaxed) }
        set { expected.store(newValue, ordering: .relaxed) }
    }

    /// Writer only; a bug when full.
    public func put(_ frame: consuming TimedFrame) {
        guard ring.offer(frame) == nil else { preconditionFailure("frame queue is full") }
        if wantsPicture.take() { filled.signal() }
    }

    /// The play-head was moved: what is due has changed.
    public func wakeReader() { filled.signal() }

    /// Reader only. Nil when empty: then the next `put` wakes the reader.
    public func take() -> TimedFrame? {
        if let frame = takeWaiting() { return frame }
        wantsPicture.declare()
        return takeWaiting()
    }

    private func takeWaiting() -> TimedFrame? {
        let frame = ring.take()
        if frame != nil, wantsRoom.take() { drained.signal() }
        return frame
    }
}
