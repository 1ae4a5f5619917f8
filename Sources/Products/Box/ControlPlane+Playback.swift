// SPDX-License-Identifier: Apache-2.0
import Journal
import Playback
import Presentation
import Programming
import Settings
import System
import Time
import Venue

/// Gives the playback controllers their inputs and performs their actions.
extension ControlPlane {
    /// Hands an input about a session to the controller of its region. Does nothing if the session is closed.
    func control(_ input: PlaybackController.Input, of session: Int) {
        if let region = playing[session] { control(input, in: region) }
    }

    /// Hands an input to a controller and performs all resulting actions before it returns. A call from within an
    /// action only appends its own actions.
    func control(_ input: PlaybackController.Input, in region: RegionPlayer) {
        let position = media.position(of: region.player.current?.id)
        let context = PlaybackContext(
            now: SystemClock.monotonic(), position: position, lastSession: lastSession
        ) { [lineUp] source in
            switch source.delivery {
            case .multicast:
                lineUp.entry(matching: source.location)?.channel.flatMap { $0.kind == .video ? .live($0) : nil }
            case .file: source.location.utf8.first == UInt8(ascii: "/") ? .file(path: source.location) : nil
            case .hls, .mp4, .rtp: nil
            }
        }
        actions += region.player.handle(input, in: context).map { (region, $0) }
        lastSession = region.player.lastSession
        guard !isPerforming else { return }
        isPerforming = true
        while let (region, action) = actions.popFirst() { perform(action, in: region) }
        isPerforming = false
        listenForSound()
    }

    private func perform(_ action: PlaybackController.Action, in region: RegionPlayer) {
        switch action {
        case .open(let session): open(session, in: region)
        case .perform(let session, let command): media.perform(session, command)
        case .close(let session):
            let now = SystemClock.monotonic()
            for consumer in consumers { consumer.ended(session, now) }
            media.close(session.id)
            playing[session.id] = nil
        case .emit(let event):
            log(event)
            var payload = event.payload
            if !region.isMain { payload["region"] = .string(region.name) }
            emit(event.family, event.name, payload)
        case .answer(let ticket, let result): seekAnswers.removeValue(forKey: ticket)?(result)
        case .showSlate: if regions.contains(where: { $0 === region }) { showSlate(in: region) }
        }
    }

    private func open(_ session: PlayingSession, in region: RegionPlayer) {
        region.watchdog.reset()
        playing[session.id] = region
        for consumer in consumers { consumer.started(session) }
        if let lock { return control(.openFailed(session: session.id, why: lock.errorString), in: region) }
        guard media.sessionCount < settings.playback.sessionLimit else {
            return control(.openFailed(session: session.id, why: sessionLimitReached.errorString), in: region)
        }
        if let why = media.sessionRefusal {
            return control(.openFailed(session: session.id, why: why), in: region)
        }
        // Posted before the session opens, so that the slate never covers its first picture.
        if !region.player.screenHasPicture || region.hasServiceSlate { showSlate(in: region) }
        region.hasServiceSlate = false
        do {
            try media.open(
                session.id, session.source, choice: session.choice, in: region.name, heard: heard(region))
        } catch {
            control(.openFailed(session: session.id, why: "\(error)"), in: region)
        }
    }

    /// The failure when no further session may be opened.
    var sessionLimitReached: Status {
        .failure(
            .failed,
            "\(media.sessionCount) sessions are open: expected fewer than playback.sessionLimit "
                + "(\(settings.playback.sessionLimit))")
    }

    /// Whether a session could be opened in the region. A session that is open there would make room for it.
    func admitsSession(in region: RegionPlayer) -> Bool {
        region.player.isOpen || media.sessionCount < settings.playback.sessionLimit
    }

    /// Restarts the decoder when the picture is frozen while sound goes on (PLAY-45). Called once a second.
    func watchPictures(of region: RegionPlayer) {
        guard let session = region.player.current, session.isPlaying, region.player.isVisible else {
            return region.watchdog.reset()
        }
        let counters = mediaCounters(of: region)
        let counts = RenderStallWatchdog.Counts(
            pictures: counters.region.picturesPresented, audioFrames: counters.sound.framesWritten,
            videoUnits: counters.playback?.videoUnits ?? 0)
        guard region.watchdog.observe(counts) == .restartDecoder else { return }
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
        case .decoderChanged(let session, let opening):
            log.playback(
                opening.rung == .none ? .warning : .notice, "decoder",
                [
                    "session": session, "decoder": opening.rung.name, "device": opening.rung.device ?? "",
                    "reason": opening.reason ?? "", "detail": opening.detail ?? "",
                ])
        case .channelState, .buffering, .currentChannelInvalid, .session: break
        }
    }

    // MARK: Consumers

    /// Keeps the counters of the stage as they are when a session begins, so that they can be subtracted.
    var counting: SessionConsumer {
        SessionConsumer(
            "statistics",
            started: { [unowned self] session in
                guard let region = playing[session.id] else { return }
                region.stageBefore = media.regionCounters(region.name)
            })
    }

    /// Logs one line for each session that ends, as proof that it was played.
    var proofOfPlay: SessionConsumer {
        SessionConsumer(
            "proof of play",
            ended: { [unowned self] session, now in
                guard let region = playing[session.id] else { return }
                let counters = media.counters(of: session.id, in: region.name)
                log.playback(
                    .notice, "played",
                    [
                        "session": session.id, "name": session.name, "seconds": (now - session.opened).seconds,
                        "pictures": counters.region.picturesPresented - region.stageBefore.picturesPresented,
                        "octets": counters.playback?.videoOctets ?? 0, "region": region.name,
                        "strategy": region.strategy ?? "none",
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
