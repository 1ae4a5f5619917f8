// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// Controls playback in one region and its queue (PLAY-03): which session plays, and the events of the reference in
/// their order.
///
/// A value: each input returns actions, which the caller performs in the given order.
public struct PlaybackController: Sendable {
    public enum Input: Sendable {
        /// Plays one channel at once, as a queue of its own (SVM-56). The same channel again changes nothing.
        /// - Parameter program: nil for the program of the channel.
        case tune(Channel, program: ProgramChoice? = nil)
        /// Replaces the queue and plays the first video that has a source (PLAY-05). An empty list acts as `stop`.
        case setVideos([Video])
        /// Goes to the next video (PLAY-08); ignored if the queue is empty.
        case advanceToNext
        /// Ignored without a session, and if the session is in that state already (PLAY-06).
        case play, pause
        case stop
        /// Answered by exactly one action, whatever the outcome (PLAY-10).
        case seek(SeekRequest, ticket: Int)
        /// What comes is presented so much later, to wait for another clock. Ignored unless the session's clock runs.
        case putOff(Nanoseconds)
        /// The program of the playing session; nil for the first.
        case selectProgram(ProgramChoice?)
        /// The audio language of this and all later sessions; nil for the first.
        case selectAudio(language: String?)
        /// Whether the session's region is visible (SVM-74).
        case setVisible(Bool)
        /// Whether a hidden session goes on with its sound (SVM-64…66).
        case setBackgroundPlayback(Bool)
        case channelAdded(Channel)
        /// The line-up describes the channel differently, so that it is received anew.
        case channelChanged(Channel)
        /// The channel was removed from the line-up (SVM-87).
        case channelRemoved(Channel.ID)
        /// Opens the channel that plays once more, because it is received or decoded in another way from now on.
        case reopen
        case openFailed(session: Int, why: String)
        /// The stage presented the first picture of a session, or of one of its seeks.
        case firstPicture(session: Int, epoch: Int)
        /// The sound of a session, or of one of its seeks, is heard. Only used for a session that `awaitsSound`.
        case soundPlays(session: Int, epoch: Int)
        /// The stage lacks pictures of the session; `fed` when it has them again.
        case starved(session: Int)
        case fed(session: Int)
        case report(PlaybackReport)
        /// Sent at least once a second.
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
    /// Whether the last picture of a closed session stays on the screen.
    public internal(set) var isHolding = false
    var queue: ArraySlice<Video> = []
    /// The highest session number given by any controller; see `PlaybackContext.lastSession`.
    public internal(set) var lastSession = 0
    /// Whether a picture of any session is on the screen; otherwise it is the slate.
    public internal(set) var screenHasPicture = false
    /// When the missing fallback channel is tried again, unless it is announced before; nil if it is not missing.
    var nextTry: Monotonic?
    var actions: [Action] = []

    public init(_ policy: PlaybackPolicy = PlaybackPolicy()) { self.policy = policy }

    /// Whether a session is open (SVM-72); `isPlaying` says whether it plays (SVM-73).
    public var isOpen: Bool { current != nil }
    public var isPlaying: Bool { current?.isPlaying ?? false }
    /// Whether nothing is open and no picture is held.
    public var showsSlate: Bool { current == nil && !isHolding }
    public var hasNext: Bool { !queue.isEmpty }

    /// Whether inputs for this session are accepted: only for the one that is open (PLAY-13).
    public func accepts(session: Int) -> Bool { current?.id == session }

    public mutating func handle(_ input: Input, in context: PlaybackContext) -> [Action] {
        lastSession = max(lastSession, context.lastSession)
        take(input, context)
        defer { actions = [] }
        return actions
    }

    private mutating func take(_ input: Input, _ context: PlaybackContext) {
        switch input {
        case .tune(let channel, let program): tune(channel, program, context)
        case .setVideos(let videos): setVideos(videos, context)
        case .advanceToNext: if hasNext { advance(context, orElse: { $0.fallBack(from: nil, context) }) }
        case .play: play()
        case .pause: pause()
        case .stop: stop()
        case .seek(let request, let ticket): seek(request, ticket: ticket, context)
        case .putOff(let span): putOff(span)
        case .selectProgram(let program): select { $0.program = program }
        case .selectAudio(let language):
            policy.audioLanguage = language
            select { $0.audioLanguage = language }
        case .setVisible(let visible): setVisible(visible)
        case .setBackgroundPlayback(let isAllowed): setBackgroundPlayback(isAllowed)
        case .channelAdded(let channel): channelAdded(channel, context)
        case .channelChanged(let channel): channelChanged(channel, context)
        case .channelRemoved(let id): channelRemoved(id, context)
        case .reopen:
            if let session = current, let channel = session.source.channel { follow(channel, from: session, context) }
        case .openFailed(let session, let why):
            if accepts(session: session) { fail(PlaybackFailure(.openFailed, why), context) }
        case .firstPicture(let session, let epoch):
            if accepts(session: session) { firstPicture(epoch: epoch, context) }
        case .soundPlays(let session, let epoch):
            if accepts(session: session) { soundPlays(epoch: epoch, context) }
        case .starved(let session): if accepts(session: session) { starved(context) }
        case .fed(let session): if accepts(session: session), current?.hasPicture == true { setBuffering(false) }
        case .report(let report): take(report, context)
        case .tick: tick(context)
        }
    }

    /// What plays goes from each of two controllers to the other. The policies stay, and what hidden sessions may do; the
    /// caller says anew whether the regions are visible.
    mutating func exchange(with other: inout PlaybackController) {
        swap(&self, &other)
        swap(&policy, &other.policy)
        swap(&isBackgroundPlaybackAllowed, &other.isBackgroundPlaybackAllowed)
    }

    // MARK: Actions

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

    /// Reports changes only, so that true and false alternate strictly (SVM-78, 79).
    mutating func setBuffering(_ buffers: Bool) {
        guard let session = current, session.isBuffering != buffers else { return }
        current?.setBuffering(buffers)
        actions.append(.emit(.buffering(buffers, channelName: session.name)))
    }
}
