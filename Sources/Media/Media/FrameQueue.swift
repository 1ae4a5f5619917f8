// SPDX-License-Identifier: Apache-2.0
import Buffers
import Synchronization
import Time

/// Pictures from a session's decode thread (writer) to the render thread (reader). When the queue is full, the decode
/// thread waits for room and decodes nothing meanwhile. It may wait for room for several pictures.
public final class FrameQueue: Sendable {
    /// Id of the session in the render thread's reports.
    public let session: Int
    /// The playback clock, which says when the pictures are due.
    public let playbackClock: PlaybackClock
    private let ring: HandoffRing<TimedFrame>
    private let capacity: Int
    private let filled: Wakeup
    private let drained: Wakeup
    private let wantsPicture = Interest()
    private let wantsRoom = Interest()
    /// The room for which the writer waits, in pictures. It is set before the interest is declared.
    private let wantedRoom = Atomic<Int>(1)
    private let expected = Atomic<Bool>(true)

    /// - Parameters:
    ///   - capacity: number of pictures, 2...64; each holds a buffer of its decoder.
    ///   - filled: the render thread's own wake-up.
    ///   - drained: the decode thread's own wake-up.
    public init(session: Int, playbackClock: PlaybackClock, capacity: Int, filled: Wakeup, drained: Wakeup) {
        precondition((2...64).contains(capacity))
        self.session = session
        self.playbackClock = playbackClock
        self.capacity = capacity
        ring = HandoffRing(capacity: capacity)
        self.filled = filled
        self.drained = drained
    }

    /// Whether there is room for so many pictures, which must be at most the capacity. When this returns false, the `take`
    /// that makes the room wakes the writer. Called by the writer only.
    public func hasRoom(for pictures: Int) -> Bool {
        if capacity - ring.count >= pictures { return true }
        wantedRoom.store(pictures, ordering: .relaxed)
        wantsRoom.declare()
        return capacity - ring.count >= pictures
    }

    /// Whether a picture that does not arrive is missing. False for a session without video and after the end of a
    /// file.
    public var expectsPictures: Bool {
        get { expected.load(ordering: .relaxed) }
        set { expected.store(newValue, ordering: .relaxed) }
    }

    /// Called by the writer only, and only when there is room.
    public func put(_ frame: consuming TimedFrame) {
        guard ring.offer(frame) == nil else { preconditionFailure("frame queue is full") }
        if wantsPicture.take() { filled.signal() }
    }

    /// Wakes the render thread because the playback clock moved, which changes what is due.
    public func wakeReader() { filled.signal() }

    /// Called by the reader only.
    /// - Returns: the oldest picture; nil when the queue is empty, and then the next `put` wakes the reader.
    public func take() -> TimedFrame? {
        if let frame = takeWaiting() { return frame }
        wantsPicture.declare()
        return takeWaiting()
    }

    private func takeWaiting() -> TimedFrame? {
        let frame = ring.take()
        if frame != nil, wantsRoom.take() { roomWasMade() }
        return frame
    }

    /// The writer wants room. The interest was taken before its size is read, so the writer declares it anew if it wants
    /// another, and then sees the room that was made.
    private func roomWasMade() {
        if capacity - ring.count >= wantedRoom.load(ordering: .relaxed) {
            drained.signal()
        } else {
            wantsRoom.declare()
        }
    }
}
