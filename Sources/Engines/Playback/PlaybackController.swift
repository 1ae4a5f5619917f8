// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// The one point for playback in a region and its queue (PLAY-03): which session plays, and the reference's events in
/// their order.
///
/// A value: inputs in, actions out; the caller performs them in the order given.
public struct PlaybackController: Sendable {
    public enum Input: Sendable {
        /// SVM-56: a queue of one channel, which plays at once. The same channel again changes nothing.
        case tune(Channel)
        /// Replaces the queue and goes to the first that has a source (PLAY-05). None: `stop`.
        case setVideos([Video])
        /// PLAY-08; nothing when the queue has no more.
        case advanceToNext
        /// Nothing without a session or when it is so already (PLAY-06).
        case play, pause
        case stop
        /// Answered by an action, whatever comes of it (PLAY-10).
        case seek(SeekRequest, ticket: Int)
        /// Of the playing session only; nil: the first.
        case selectProgram(UInt16?)
        /// Of all sessions from now on; nil: the first.
        case selectAudio(language: String?)
        /// Whether the session's region is to be seen (SVM-74).
        case setVisible(Bool)
        /// SVM-64…66.
        case setBackgroundPlayback(Bool)
        case channelAdded(Channel)
        /// The line-up has the channel otherwise than before: what is received of it is received anew.
        case channelChanged(Channel)
        /// The line-up no longer has the channel (SVM-87).
        case channelRemoved(Channel.ID)
        case openFailed(session: Int, why: String)
        /// The stage presented the first picture of a session or of one of its seeks.
        case firstPicture(session: Int, epoch: Int)
        /// The sound of a session, or of one of its seeks, is heard. Says something only of one that `awaitsSound`.
        case soundPlays(session: Int, epoch: Int)
        /// The stage has no picture that it should have; has pictures again.
        case starved(session: Int)
        case fed(session: Int)
        case report(PlaybackReport)
        /// At least once a second.
        case tick
    }

    public enum Action: Hashable, Sendable {
        case open(PlayingSession)
        case perform(session: Int, SessionCommand)
        case close(PlayingSession)
        case emit(PlaybackEvent)
        case answer(ticket: Int, Result<SeekOutcome, SeekError>)
        case showSlate
    }

    public var policy: PlaybackPolicy
    public internal(set) var current: PlayingSession?
    public internal(set) var isVisible = true
    public internal(set) var isBackgroundPlaybackAllowed = false
    /// The last picture of a closed session is meant to stay.
    public internal(set) var isHolding = false
    var queue: ArraySlice<Video> = []
    /// The highest number given to a session, by whichever controller: see `PlaybackContext.lastSession`.
    public internal(set) var lastSession = 0
    /// A picture is on the screen, of whichever session; else the slate.
    public internal(set) var screenHasPicture = false
    /// When the fall-back channel, which is missed, is tried again; at once when it is announced. Nil: not missed.
    var nextTry: Monotonic?
    var actions: [Action] = []

    public init(_ policy: PlaybackPolicy = PlaybackPolicy()) { self.policy = policy }

    /// SVM-72, 73.
    public var isOpen: Bool { current != nil }
    public var isPlaying: Bool { current?.isPlaying ?? false }
    /// Nothing is open and nothing is held.
    public var showsSlate: Bool { current == nil && !isHolding }
    public var hasNext: Bool { !queue.isEmpty }

    /// Whether calls on this session are taken: it is the one that is open (PLAY-13).
    public func accepts(session: Int) -> Bool { current?.id == session }

    public mutating func handle(_ input: Input, in context: PlaybackContext) -> [Action] {
        lastSession = max(lastSession, context.lastSession)
        take(input, context)
        defer { actions = [] }
        return actions
    }

    private mutating func take(_ input: Input, _ context: PlaybackContext) {
        switch input {
        case .tune(let channel): tune(channel, context)
        case .setVideos(let videos): setVideos(videos, context)
        case .advanceToNext: if hasNext { advance(context, orElse: { $0.fallBack(from: nil, context) }) }
        case .play: play()
        case .pause: pause()
        case .stop: stop()
        case .seek(let request, let ticket): seek(request, ticket: ticket, context)
        case .selectProgram(let program): select { $0.program = program }
        case .selectAudio(let language):
            policy.audioLanguage = language
            select { $0.audioLanguage = language }
        case .setVisible(let visible): setVisible(visible)
        case .setBackgroundPlayback(let isAllowed): setBackgroundPlayback(isAllowed)
        case .channelAdded(let channel): channelAdded(channel, context)
        case .channelChanged(let channel): channelChanged(channel, context)
        case .channelRemoved(let id): channelRemoved(id, context)
        case .openFailed(let session, let why):
            if accepts(session: session) { fail(PlaybackFailure(.openFailed, why), context) }
        case .firstPicture(let session, let epoch):
            if accepts(session: session) { firstPicture(epoch: epoch, context) }
        case .soundPlays(let session, let epoch):
            if accepts(session: session) { soundPlays(epoch: epoch, context) }
        case .starved(let session): if accepts(session: session) { starved() }
        case .fed(let session): if accepts(session: session), current?.hasPicture == true { setBuffering(false) }
        case .report(let report): take(report, context)
        case .tick: tick(context)
        }
    }

    // MARK: Saying

    mutating func emit(_ event: SessionEvent) {
        guard let id = current?.id else { return }
        actions.append(.emit(.session(id, event)))
    }

    mutating func say(_ state: PlayerState) {
        guard let name = current?.name else { return }
        current?.state = state
        actions.append(.emit(.channelState(state, channelName: name)))
    }

    mutating func perform(_ command: SessionCommand) {
        guard let id = current?.id else { return }
        actions.append(.perform(session: id, command))
    }

    /// Told when it changes only: strictly in turn (SVM-78, 79).
    mutating func setBuffering(_ buffers: Bool) {
        guard let session = current, session.isBuffering != buffers else { return }
        current?.setBuffering(buffers)
        actions.append(.emit(.buffering(buffers, channelName: session.name)))
    }
}
