// SPDX-License-Identifier: Apache-2.0
import Time

/// Inputs that concern the open session.
extension PlaybackController {
    private static let unsupportedLimit = 64

    mutating func play() {
        guard let session = current, session.isPaused else { return }
        current?.setPaused(false)
        // Live went on meanwhile.
        if session.source.channel != nil, session.hasStarted, session.state != .rewind { say(.rewind) }
        goOn()
    }

    mutating func pause() {
        guard let session = current, !session.isPaused else { return }
        current?.setPaused(true)
        if !session.isSuspended { hold() }
    }

    mutating func putOff(_ span: Nanoseconds) {
        guard let session = current, session.isRunning, !session.isSeeking, span > .zero else { return }
        current?.putOff()
        perform(.putOff(span))
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

    /// A channel that becomes visible again is shown live, unless the viewer had left live before.
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

    /// A source of sound alone needs no picture; the last picture of the session before is replaced by the slate.
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

    mutating func starved(_ context: PlaybackContext) {
        guard let session = current, isVisible, !session.isHeld, !session.hasEnded,
            session.hasPicture || session.isSoundAlone && session.hasStarted
        else { return }
        if let successor = session.successor { return follow(successor, from: session, context) }
        setBuffering(true)
    }

    mutating func take(_ report: PlaybackReport, _ context: PlaybackContext) {
        switch report {
        case .ready(let session, let duration):
            guard accepts(session: session) else { return }
            becomeReady()
            if let duration { durationChanged(duration) }
            // A hidden session plays sound alone, and there is no picture to wait for (SVM-65).
            if let current, !isVisible, !current.isHeld, !current.hasStarted {
                setBuffering(false)
                start()
            }
        case .positioned(let session, let epoch, let position):
            guard accepts(session: session), epoch == current?.epoch else { return }
            current?.seekFound(position)
            progress(to: position)
            // A paused picture is shown at its new position. Paused sound cannot be heard there, so the seek ends here.
            if let current, current.isSoundAlone, current.isHeld { finishSeek(epoch: epoch, context) }
        case .ended(let session):
            guard accepts(session: session), current?.hasEnded == false else { return }
            setBuffering(false)
            current?.end()
            emit(.end)
            // Without auto-advance the last picture stays until the next video is requested.
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
        case .programsChanged(let session, let programs):
            guard accepts(session: session) else { return }
            current?.programs = programs
            actions.append(.emit(.programsChanged(session: session, programs)))
        case .nowNextChanged, .timeTold, .timelineTold: return  // consumers take them
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

    /// The channel state `play` is reported once in a session, the session event `play` at each start.
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

    /// Reports progress, also after a seek; the cue points in between are reported in one event (PLAY-16, 17).
    private mutating func progress(to position: PlaybackPosition) {
        guard let session = current, session.toldPosition != position.progress else { return }
        let (from, to) = (session.toldPosition, position.progress)
        current?.toldPosition = to
        emit(.progress(from: from, to: to))
        let passed = session.video.cuePoints.points(after: from, through: to)
        if !passed.isEmpty { emit(.cuePoints(from: from, to: to, passed)) }
    }
}
