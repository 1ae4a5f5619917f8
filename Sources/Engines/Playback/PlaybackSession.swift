// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time

/// A source that plays: it is read on one thread and its pictures are decoded on another, which fill the queues of the
/// stage and the mixer. That a picture takes long to decode never holds up sound.
///
/// - Thread: any; commands are carried out in order on the read thread.
public final class PlaybackSession: Sendable {
    /// How it is played.
    public struct Options: Sendable {
        /// The play-out delay D.
        public var delay: Nanoseconds
        /// Starts at once and stretches to D, instead of holding the first picture.
        public var stretchesAtStart = false
        /// Damaged pictures are shown, not left out until the next random-access point.
        public var showsDamage = true
        public var choice = StreamChoice()
        public var decoding = DecodingLadder.Choice.auto
        /// Where devices that decode are found; none at first.
        public var decoders = DecoderDesk(DecoderInventory(devices: []))
        /// Sessions that are being closed and may still hold the place at a device that this one is to have.
        public var predecessors: [SessionEnd] = []

        public init(delay: Nanoseconds) { self.delay = delay }
    }

    /// Pictures that are decoded ahead of the screen. There are few of them: each is another buffer that the decoder must
    /// bring into the cache, which costs it 3 % of its time at 720p.
    private static let picturesAhead = 3

    public let id: Int
    public let playHead: PlayHead
    public let frames: FrameQueue
    public let sound: AudioQueue
    public let counters = PublishedValue(PlaybackCounters())
    public let position = LatestValue(PlaybackPosition())
    let provider: any SessionProvider
    let options: Options
    /// The play-head, for both threads.
    let head: SteeredPlayHead
    let pictures: CodedPictures
    /// The decode thread's part of `counters`, which the read thread publishes.
    let decoding = PublishedValue(DecodingCounters())
    /// What the read thread sleeps on. It is signalled when data have come, room was made or a command waits.
    let wakeup: Wakeup
    /// What the decode thread sleeps on. It is signalled when coded pictures have come, or there is room for decoded ones.
    let decodeWakeup = Wakeup()
    let commands: Mailbox<SessionCommand>
    let report: @Sendable (PlaybackReport) -> Void
    let stopping = StopFlag()
    /// Reached when nothing of the session runs any more.
    public let end = SessionEnd(threads: 2)
    private let threads = LatestValue<[DedicatedThread]>([])

    /// - Parameters:
    ///   - pictureWakeup: the render thread's.
    ///   - report: called on the threads of the session.
    public init(
        id: Int, _ provider: any SessionProvider, _ options: Options, pictureWakeup: Wakeup,
        report: @escaping @Sendable (PlaybackReport) -> Void
    ) throws(SystemCallError) {
        self.id = id
        self.provider = provider
        self.options = options
        self.report = report
        wakeup = provider.arrived ?? Wakeup()
        playHead = PlayHead(PlayHead.State(delay: options.delay))
        frames = FrameQueue(
            session: id, playHead: playHead, capacity: Self.picturesAhead, filled: pictureWakeup, drained: decodeWakeup)
        head = SteeredPlayHead(playHead, playoutDelay: options.delay)
        pictures = CodedPictures(filled: decodeWakeup, drained: wakeup)
        sound = AudioQueue(session: id, playHead: playHead, waitsForRoom: provider.waitsForReader, drained: wakeup)
        let wakeup = wakeup
        commands = Mailbox<SessionCommand> { wakeup.signal() }
        let reading = try DedicatedThread("read", urgency: .prompt) { [self] in
            ReadLoop(self).run()
            end.threadEnded()
            // The next session of a channel sleeps on the same wake-up. What woke this one may have been meant for it.
            wakeup.signal()
        }
        let decode: @Sendable () -> Void = { [self] in
            DecodeLoop(self).run()
            end.threadEnded()
        }
        do throws(SystemCallError) {
            threads.set([reading, try DedicatedThread("decode", decode)])
        } catch {
            stopping.raise()
            wakeup.signal()
            reading.join()
            throw error
        }
    }

    /// - Returns: false when the read thread has not taken a thousand commands; it hangs.
    @discardableResult
    public func post(_ command: SessionCommand) -> Bool { commands.post(command) }

    /// Tells both threads to end and returns at once; `end` says when they have. Pictures already queued stay with the
    /// stage until it unbinds.
    public func close() {
        stopping.raise()
        wakeup.signal()
        decodeWakeup.signal()
    }

    /// Waits for the threads of a session that was closed: as long as its decoder hangs, unless `end` is reached.
    /// - Thread: the one that owns the session, once; never the control loop.
    public func join() {
        for thread in threads.value { thread.join() }
        threads.set([])
    }
}
