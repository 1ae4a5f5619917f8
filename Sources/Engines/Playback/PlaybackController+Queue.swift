// SPDX-License-Identifier: Apache-2.0
import Programming
import Time
import Venue

/// Chooses the next video, and what follows the last one.
extension PlaybackController {
    /// The time between two attempts to tune the fallback channel while it is missing or cannot be joined.
    private static let pauseOfTries = Nanoseconds.seconds(10)

    mutating func tune(_ channel: Channel, _ program: ProgramChoice?, _ context: PlaybackContext) {
        nextTry = nil
        queue = []
        let program = program ?? channel.program
        if let session = current, session.source == .live(channel), session.choice.program == program {
            // As an item of a playlist it may have been opened without playing. It does not belong to the playlist now.
            if !session.hasStarted { play() }
            return
        }
        replace(with: Video(channel), .live(channel), program: program, mustPlay: true, context)
    }

    mutating func setVideos(_ videos: [Video], _ context: PlaybackContext) {
        nextTry = nil
        guard !videos.isEmpty else { return stop() }
        queue = videos.prefix(Playlist.videoLimit)
        advance(context, orElse: { $0.fallBack(from: nil, context) })
    }

    mutating func stop() {
        nextTry = nil
        queue = []
        guard current != nil || isHolding else { return }
        close()
        showSlate()
    }

    mutating func channelAdded(_ channel: Channel, _ context: PlaybackContext) {
        guard nextTry != nil, policy.fallback == .defaultChannel(channel.name) else { return }
        nextTry = nil
        replace(with: Video(channel), .live(channel), isFallback: true, mustPlay: true, context)
    }

    mutating func tryDefaultChannel(_ context: PlaybackContext) {
        guard let due = nextTry, due <= context.now, case .defaultChannel(let name) = policy.fallback else { return }
        nextTry = context.now + Self.pauseOfTries
        if let channel = context.offer(Source(.multicast, name))?.channel { channelAdded(channel, context) }
    }

    mutating func channelChanged(_ channel: Channel, _ context: PlaybackContext) {
        guard let session = current, let old = session.source.channel, old.id == channel.id else { return }
        current?.successor = nil
        guard !channel.isReceived(as: old) else { return }
        // Another head-end sends it too. What is heard goes on until it is silent.
        if session.isPlaying, channel.sharesSources(with: old) {
            current?.successor = channel
        } else {
            follow(channel, from: session, context)
        }
    }

    /// Another channel of the same name takes its place, so that the viewer notices nothing. VLC announces a channel
    /// under another id when it learns of another stream in it; of two head-ends one may go.
    mutating func channelRemoved(_ id: Channel.ID, _ context: PlaybackContext) {
        guard let session = current, let old = session.source.channel, old.id == id else { return }
        if let other = context.offer(Source(.multicast, old.name))?.channel, other.id != id {
            return follow(other, from: session, context)
        }
        actions.append(.emit(.currentChannelInvalid(channelName: session.name)))
        fallBack(from: session, context)
    }

    /// Plays the channel live, whatever was shown, because the history holds what was received in the old way.
    mutating func follow(_ channel: Channel, from session: PlayingSession, _ context: PlaybackContext) {
        let old = session.source.channel
        let isWhole = old.map { Video($0) } == session.video
        // A program that a command chose is still meant.
        let isOwn = session.choice.program == old?.program
        replace(
            with: isWhole ? Video(channel) : session.video, .live(channel), of: session.origin,
            program: isOwn ? nil : session.choice.program, isFallback: session.isFallback,
            mustPlay: !session.isPaused, context)
    }

    mutating func fail(_ failure: PlaybackFailure, _ context: PlaybackContext) {
        emit(.fail(failure))
        leave(context)
    }

    /// Leaves a session that cannot continue.
    mutating func leave(_ context: PlaybackContext) {
        guard let session = current else { return }
        if hasNext, policy.autoAdvance || session.isFallback {
            advance(context, isFallback: session.isFallback, orElse: { $0.fallBack(from: session, context) })
        } else {
            fallBack(from: session, context)
        }
    }

    /// Goes to the next video of the queue with a usable source. Others are reported and skipped (PLAY-21).
    mutating func advance(
        _ context: PlaybackContext, isFallback: Bool = false, orElse: (inout PlaybackController) -> Void
    ) {
        while let video = queue.popFirst() {
            if let chosen = policy.source(of: video, offer: context.offer) {
                return replace(
                    with: video, chosen.leadsTo, of: chosen.origin, isFallback: isFallback,
                    mustPlay: isFallback || policy.autoPlay, context)
            }
            lastSession += 1
            actions.append(.emit(.session(lastSession, .fail(PlaybackFailure(.noSourceFound, video.name)))))
        }
        orElse(&self)
    }

    /// - Parameter from: the session that failed or ended; nil if nothing in the queue could be played.
    mutating func fallBack(from session: PlayingSession?, _ context: PlaybackContext) {
        close()
        queue = []
        switch policy.fallback {
        case .hold where screenHasPicture: isHolding = true
        case .hold, .slate: showSlate()
        case .defaultChannel(let name):
            guard let source = context.offer(Source(.multicast, name)), let channel = source.channel,
                source != session?.source
            else {
                nextTry = context.now + Self.pauseOfTries
                return showSlate()
            }
            replace(with: Video(channel), source, isFallback: true, mustPlay: true, context)
        case .playlist(let playlist):
            // A fallback that has shown nothing is not tried again.
            if let session, session.isFallback, !session.hasPicture { return showSlate() }
            queue = playlist.videos.prefix(Playlist.videoLimit)
            advance(context, isFallback: true, orElse: { $0.showSlate() })
        }
    }

    // MARK: Sessions

    /// - Parameters:
    ///   - origin: the one of the video's sources that was chosen; nil for a channel that is tuned.
    ///   - program: nil for the program of the channel.
    private mutating func replace(
        with video: Video, _ source: SessionSource, of origin: Source? = nil, program: ProgramChoice? = nil,
        isFallback: Bool = false, mustPlay: Bool, _ context: PlaybackContext
    ) {
        close()
        isHolding = false
        lastSession += 1
        let choice = StreamChoice(
            program: program ?? source.channel?.program, audioLanguage: policy.audioLanguage)
        var session = PlayingSession(
            id: lastSession, video: video, source: source, isFallback: isFallback, opened: context.now,
            choice: choice, isPaused: !mustPlay)
        session.origin = origin
        current = session
        say(.open)
        setBuffering(true)
        actions.append(.open(session))
        if !isVisible { perform(.setVisible(false)) }
        current?.setSuspended(!isVisible && !isBackgroundPlaybackAllowed)
        if current?.isHeld == true { perform(.pause) }
    }

    private mutating func close() {
        guard let session = current else { return }
        if let seek = session.seek { actions.append(.answer(ticket: seek.ticket, .failure(.sessionEnded))) }
        setBuffering(false)
        say(.stop)
        actions.append(.close(session))
        emit(.terminate)
        say(.close)
        current = nil
    }

    mutating func showSlate() {
        isHolding = false
        screenHasPicture = false
        actions.append(.showSlate)
    }
}

extension Video {
    /// A channel of the line-up as a video of a queue.
    public init(_ channel: Channel) {
        self.init(channel.name, sources: [Source(.multicast, channel.name)], namesSource: true)
    }
}
