// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import System
import Time

/// A playing channel: reads the history, decodes on its own thread, fills the stage's queue.
public final class PlaybackSession: Sendable {
    /// Pictures decoded ahead of the screen.
    private static let picturesAhead = 6

    public let id: Int
    public let playHead: PlayHead
    public let frames: FrameQueue
    public let sound: AudioQueue
    public let counters = LatestValue(PlaybackCounters())
    let history: HistoryBuffer
    let arrived: Wakeup
    let delay: Nanoseconds
    let report: @Sendable (PlaybackReport) -> Void
    let stopping = StopFlag()
    private let thread = LatestValue<DedicatedThread?>(nil)

    /// Starts to decode at the oldest of the history.
    /// - Parameters:
    ///   - arrived: signalled when the history has grown.
    ///   - delay: D.
    ///   - pictureWakeup: the render thread's; audioWakeup: the mixer's.
    ///   - report: called on the decode thread.
    public init(
        id: Int, history: HistoryBuffer, arrived: Wakeup, delay: Nanoseconds, pictureWakeup: Wakeup,
        audioWakeup: Wakeup, report: @escaping @Sendable (PlaybackReport) -> Void
    ) throws(SystemCallError) {
        self.id = id
        self.history = history
        self.arrived = arrived
        self.delay = delay
        playHead = PlayHead(PlayHead.State(delay: delay))
        sound = AudioQueue(session: id, playHead: playHead, filled: audioWakeup)
        self.report = report
        frames = FrameQueue(session: id, capacity: Self.picturesAhead, filled: pictureWakeup)
        thread.set(try DedicatedThread("decode") { [self] in DecodeLoop(self).run() })
    }

    /// Ends the decode thread. Pictures already queued stay with the stage until it unbinds.
    public func stop() {
        stopping.raise()
        arrived.signal()
        thread.value?.join()
        thread.set(nil)
    }
}
