// SPDX-License-Identifier: Apache-2.0
import Time

/// What happens to the session that is open.
extension PlaybackController {
    private static let unsupportedLimit = 64

    mutating func play() {
        guard let session = current, session.isPaused else { return }
        current?.setPaused(false)
        goOn()
    }

    mutating func pause() {
        guard let session = current, !session.isPaused else { return }
        current?.setPaused(true)
        if !session.isSuspended { hold() }
    }

    mutating func select(_ change: (inout StreamChoice) -> Void) {
        guard var choice = current?.choice else { return }
        change(&choice)
        guard choice != current?.choice else { return }
        current?.choice = choice
        perform(.select(choice))
    }

    // MARK: Visibility

    mutating func setVisible(_ visible: Bool) {
        guard visible != isVisible else { return }
        isVisible = visible
        perform(.setVisible(visible))
        applyVisibility()
    }

    mutating func setBackgroundPlayback(_ isAllowed: Bool) {
        isBackgroundPlaybackAllowed = isAllowed
        applyVisibility()
    }

    /// Who looks at a channel again sees it live, unless they had left live before.
    private mutating func applyVisibility() {
        let suspends = !isVisible && !isBackgroundPlaybackAllowed
        guard let session = current, session.isSuspended != suspends else { return }
        current?.setSuspended(suspends)
        guard !session.isPaused else { return }
        guard !suspends else { return hold() }
        if session.source.channel != nil, session.followsLive {
            current?.epoch += 1
            perform(.seek(.behindLive(.zero), epoch: session.epoch + 1))
        }
        goOn()
    }

    private mutating func hold() {
        perform(.pause)
        if current?.hasPicture == true || current?.isSoundAlone == true { setBuffering(false) }
        emit(.pause)
    }

    private mutating func goOn() {
        guard let session = current, !session.isHeld else { return }
        perform(.play)
        if session.hasStarted || session.hasPicture { start() }
    }

    // MARK: Reports

    mutating func firstPicture(epoch: Int, _ context: PlaybackContext) {
        becomeReady()
        setBuffering(false)
        screenHasPicture = true
        current?.pictureShown()
        if let session = current, !session.hasStarted, !session.isHeld { start() }
        finishSeek(epoch: epoch, context)
    }

    /// There is no picture to wait for; that of the session before makes way.
    mutating func soundPlays(epoch: Int, _ context: PlaybackContext) {
        guard let session = current, session.awaitsSound else { return }
        becomeReady()
        setBuffering(false)
        if !session.hasStarted {
            if !session.hasPicture { showSlate() }
            start()
        }
        finishSeek(epoch: epoch, context)
    }

    mutating func starved() {
        guard let session = current, isVisible, !session.isHeld, !session.hasEnded,
            session.hasPicture || session.isSoundAlone && session.hasStarted
        else { return }
        setBuffering(true)
    }

    mutating func take(_ report: PlaybackReport, _ context: PlaybackContext) {
        switch report {
        case .ready(let session, let duration):
            guard accepts(session: session) else { return }
            becomeReady()
            if let duration { durationChanged(duration) }
            // Sound alone: there will be no picture to wait for (SVM-65).
            if let current, !isVisible, !current.isHeld, !current.hasStarted {
                setBuffering(false)
                start()
            }
        case .positioned(let session, let epoch, let position):
            guard accepts(session: session), epoch == current?.epoch else { return }
            current?.seekFound(position)
            progress(to: position)
            // A held picture is shown at its new place; of held sound nothing is heard.
            if let current, current.isSoundAlone, current.isHeld { finishSeek(epoch: epoch, context) }
        case .ended(let session):
            guard accepts(session: session), current?.hasEnded == false else { return }
            setBuffering(false)
            current?.end()
            emit(.end)
            // Without auto-advance the last picture stays until somebody asks for the next.
            if !hasNext || policy.autoAdvance || current?.isFallback == true { leave(context) }
        case .failed(let session, let why):
            if accepts(session: session) { fail(PlaybackFailure(.playbackFailed, why), context) }
        case .streamUnsupported(let session, let what):
            guard accepts(session: session), let known = current?.unsupported, known.count < Self.unsupportedLimit,
                !known.contains(what)
            else { return }
            current?.unsupported.insert(what)
            actions.append(.emit(.streamUnsupported(session: session, what: what)))
        case .decoderChanged(let session, let opening):
            if accepts(session: session) { actions.append(.emit(.decoderChanged(session: session, opening))) }
        case .streamsChanged(let session, let streams):
            guard accepts(session: session) else { return }
            current?.streams = streams
            if let current, current.isSoundAlone, current.isHeld { setBuffering(false) }
        case .nowNextChanged: return  // the guide's, not the player's
        }
    }

    mutating func tick(_ context: PlaybackContext) {
        tryDefaultChannel(context)
        if let seek = current?.seek, seek.deadline <= context.now {
            current?.seekEnded(isAtLive: false)
            actions.append(.answer(ticket: seek.ticket, .failure(.timedOut)))
        }
        guard let session = current, session.isReady, session.seek == nil, let position = context.position else {
            return
        }
        if let duration = position.duration { durationChanged(duration) }
        progress(to: position)
    }

    private mutating func becomeReady() {
        guard current?.isReady == false else { return }
        current?.becomeReady()
        emit(.ready)
    }

    /// `play` of the reference is told once in a session; that of the session each time.
    private mutating func start() {
        if current?.hasStarted == false { say(.play) }
        current?.start()
        emit(.play)
    }

    private mutating func durationChanged(_ duration: Nanoseconds) {
        guard current?.duration != duration else { return }
        current?.duration = duration
        emit(.durationChanged(duration))
    }

    /// PLAY-16, 17: also by a seek; cue points in between are told in one.
    private mutating func progress(to position: PlaybackPosition) {
        guard let session = current, session.toldPosition != position.progress else { return }
        let (from, to) = (session.toldPosition, position.progress)
        current?.toldPosition = to
        emit(.progress(from: from, to: to))
        let passed = session.video.cuePoints.points(after: from, through: to)
        if !passed.isEmpty { emit(.cuePoints(from: from, to: to, passed)) }
    }
}
