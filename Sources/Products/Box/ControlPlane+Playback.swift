// SPDX-License-Identifier: Apache-2.0
import Journal
import Playback
import Presentation
import Programming
import Settings
import System
import Time
import Venue

/// The playback controller among the others: what it is told, and what it wants done.
extension ControlPlane {
    /// Hands an input to the controller and performs what comes of it, whole, before it returns.
    func control(_ input: PlaybackController.Input) {
        let context = PlaybackContext(now: SystemClock.monotonic(), position: media.position) { [lineUp] source in
            switch source.delivery {
            case .multicast:
                lineUp.entry(matching: source.location)?.channel.flatMap { $0.kind == .video ? .live($0) : nil }
            case .file: source.location.utf8.first == UInt8(ascii: "/") ? .file(path: source.location) : nil
            case .hls, .mp4, .rtp: nil
            }
        }
        actions += player.handle(input, in: context)
        guard !isPerforming else { return }
        isPerforming = true
        while let action = actions.popFirst() { perform(action) }
        isPerforming = false
    }

    private func perform(_ action: PlaybackController.Action) {
        switch action {
        case .open(let session): open(session)
        case .perform(let session, let command): media.perform(session, command)
        case .close(let session):
            let now = SystemClock.monotonic()
            for consumer in consumers { consumer.ended(session, now) }
            media.close(session.id)
        case .emit(let event):
            log(event)
            emit(event.family, event.name, event.payload)
        case .answer(let ticket, let result): seekAnswers.removeValue(forKey: ticket)?(result)
        case .showSlate: showSlate()
        }
    }

    private func open(_ session: PlayingSession) {
        watchdog.reset()
        for consumer in consumers { consumer.started(session) }
        do {
            try media.open(session.id, session.source, choice: session.choice)
        } catch {
            control(.openFailed(session: session.id, why: "\(error)"))
        }
    }

    /// Once a second (PLAY-45).
    func watchPictures() {
        guard let session = player.current, session.isPlaying, player.isVisible else { return watchdog.reset() }
        let counters = mediaCounters
        let counts = RenderStallWatchdog.Counts(
            pictures: counters.stage.picturesPresented, audioFrames: counters.sound.framesWritten,
            videoUnits: counters.playback?.videoUnits ?? 0)
        guard watchdog.observe(counts) == .restartDecoder else { return }
        log.playback(.warning, "picture frozen while sound goes on: decoder restarted", ["session": session.id])
        media.perform(session.id, .restartDecoder)
    }

    private func log(_ event: PlaybackEvent) {
        switch event {
        case .session(let session, .fail(let failure)):
            log.playback(
                .error, "session failed", ["session": session, "code": failure.code.rawValue, "why": failure.why])
        case .streamUnsupported(let session, let what):
            log.playback(.warning, "stream not supported", ["session": session, "stream": what])
        case .channelState, .buffering, .currentChannelInvalid, .session: break
        }
    }

    // MARK: Consumers

    /// What the stage had counted before a session is none of that session's.
    var counting: SessionConsumer {
        SessionConsumer("statistics", started: { [unowned self] _ in stageBefore = media.counters.stage })
    }

    /// One line for each session, for whoever has to prove that something was played.
    var proofOfPlay: SessionConsumer {
        SessionConsumer(
            "proof of play",
            ended: { [unowned self] session, now in
                let counters = media.counters
                log.playback(
                    .notice, "played",
                    [
                        "session": session.id, "name": session.name, "seconds": (now - session.opened).seconds,
                        "pictures": counters.stage.picturesPresented - stageBefore.picturesPresented,
                        "octets": counters.playback?.videoOctets ?? 0,
                    ])
            })
    }
}

extension PlaybackPolicy {
    init(_ settings: Settings) {
        self.init()
        let playback = settings.playback
        autoAdvance = playback.autoAdvance
        autoPlay = playback.autoPlay
        audioLanguage = playback.audioLanguage
        fallback =
            switch playback.fallback {
            case .hold: .hold
            case .slate: .slate
            case .defaultChannel: playback.defaultChannel.map { .defaultChannel($0) } ?? .slate
            case .playlist:
                settings.playlists.first { $0.name == playback.fallbackPlaylist }.map { .playlist($0) } ?? .slate
            }
    }
}
