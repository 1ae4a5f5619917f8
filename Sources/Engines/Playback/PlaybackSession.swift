// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time

/// Plays a source: one thread reads it, another decodes its pictures, and they fill the queues of the stage and the
/// mixer. Slow decoding of pictures never delays sound.
///
/// - Thread: any. Commands are executed in order on the read thread.
public final class PlaybackSession: Sendable {
    /// The settings of a session.
    public struct Options: Sendable {
        /// The play-out delay D.
        public var delay: Nanoseconds
        /// Whether playback starts at once and stretches to D, instead of holding the first picture.
        public var stretchesAtStart = false
        /// Whether damaged pictures are shown, instead of being left out until the next random-access point.
        public var showsDamage = true
        public var choice = StreamChoice()
        public var decoding = DecodingLadder.Choice.auto
        /// The pool of hardware decoders; empty by default.
        public var decoders = DecoderPool(DecoderInventory(devices: []))
        /// Sessions that are being closed and may still hold the decoder that this session is to have.
        public var predecessors: [SessionEnd] = []

        public init(delay: Nanoseconds) { self.delay = delay }
    }

    /// Pictures that are decoded ahead of the screen. They are few because each is another buffer that the decoder must
    /// bring into the cache, which costs 3 % of its time at 720p.
    private static let picturesAhead = 3
    /// Decode threads that may hang before the session is given up. Each keeps its decoder and its coded pictures.
    private static let mostHanging = 3

    public let id: Int
    public let playbackClock: PlaybackClock
    public let frames: FrameQueue
    public let sound: AudioQueue
    public let counters = PublishedValue(PlaybackCounters())
    public let position = LatestValue(PlaybackPosition())
    let provider: any SessionProvider
    let options: Options
    /// The playback clock, which both threads move.
    let head: SteeredPlaybackClock
    /// What the read thread sleeps on. It is signalled when data have come, room was made or a command waits.
    let wakeup: Wakeup
    /// The decode thread sleeps on this. It is signalled when coded pictures or room for decoded ones have come.
    let decodeWakeup = Wakeup()
    let commands: Mailbox<SessionCommand>
    let report: @Sendable (PlaybackReport) -> Void
    let stopping = StopFlag()
    /// Reached when both threads of the session have ended.
    public let end = SessionEnd(threads: 2)
    private let threads = LatestValue<[DedicatedThread]>([])
    private let runs: LatestValue<DecodingRun>

    /// - Parameters:
    ///   - pictureWakeup: wakes the render thread.
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
        playbackClock = PlaybackClock(PlaybackClock.State(delay: options.delay))
        frames = FrameQueue(
            session: id, playbackClock: playbackClock, capacity: Self.picturesAhead, filled: pictureWakeup,
            drained: decodeWakeup)
        head = SteeredPlaybackClock(
            playbackClock, playoutDelay: options.delay, isLive: !provider.waitsForReader)
        let first = DecodingRun(CodedPictures(filled: decodeWakeup, drained: wakeup))
        runs = LatestValue(first)
        sound = AudioQueue(
            session: id, playbackClock: playbackClock, waitsForRoom: provider.waitsForReader, drained: wakeup)
        let wakeup = wakeup
        commands = Mailbox<SessionCommand> { wakeup.signal() }
        let reading = try DedicatedThread("read", urgency: .prompt) { [self] in
            ReadLoop(self, clock: SystemClock.monotonic).run()
            end.threadEnded()
            // The next session of a channel sleeps on the same wake-up, so a signal that woke this one is passed on.
            wakeup.signal()
        }
        do throws(SystemCallError) {
            threads.set([reading, try startDecoding(first)])
        } catch {
            stopping.raise()
            wakeup.signal()
            reading.join()
            throw error
        }
    }

    private func startDecoding(_ run: DecodingRun) throws(SystemCallError) -> DedicatedThread {
        try DedicatedThread("decode") { [self] in
            DecodeLoop(self, run).run()
            end.threadEnded()
        }
    }

    /// What the decode thread works on.
    var decoding: DecodingRun { runs.value }

    /// Leaves a decode thread whose decoder hangs, and starts another (PLAY-45). The session ends when both have.
    /// - Returns: nil if too many hang, or the system has no further thread.
    /// - Thread: the read thread, which has taken the session from the thread that hangs.
    func replaceDecoding() -> DecodingRun? {
        let run = DecodingRun(CodedPictures(filled: decodeWakeup, drained: wakeup), behind: decoding)
        guard run.hanging < Self.mostHanging else { return nil }
        end.threadStarts()
        do throws(SystemCallError) {
            threads.set(threads.value + [try startDecoding(run)])
        } catch {
            end.threadEnded()
            return nil
        }
        runs.set(run)
        return run
    }

    /// - Returns: false if the read thread hangs and a thousand commands wait for it.
    @discardableResult
    public func post(_ command: SessionCommand) -> Bool { commands.post(command) }

    /// Tells both threads to end and returns at once; `end` says when they have ended. Pictures in the queue stay with
    /// the stage until it unbinds the session.
    public func close() {
        stopping.raise()
        wakeup.signal()
        decodeWakeup.signal()
    }

    /// Waits for the threads of a closed session. This takes as long as a decoder hangs, unless `end` is reached.
    /// - Thread: the owner of the session, once; never the control loop.
    public func join() {
        for thread in threads.value { thread.join() }
        threads.set([])
    }
}
