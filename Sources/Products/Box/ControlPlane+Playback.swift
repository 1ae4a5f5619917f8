// SPDX-License-Identifier: Apache-2.0
import JSON
import Journal
import Playback
import Presentation
import Programming
import Settings
import System
import Time
import Venue

/// What the directory of regions needs of the media plane and the line-up, and what consumes its sessions.
extension ControlPlane {
    var regionEnvironment: RegionEnvironment {
        var environment = RegionEnvironment()
        environment.after = { [unowned self] delay, handler in after(delay, handler) }
        environment.offer = { [unowned self] source in
            switch source.delivery {
            case .multicast:
                lineUp.entry(matching: source.location)?.channel.flatMap { $0.kind == .video ? .live($0) : nil }
            case .file: source.location.utf8.first == UInt8(ascii: "/") ? .file(path: source.location) : nil
            case .hls, .mp4, .rtp: nil
            }
        }
        environment.sessionCount = { [media] in media.sessionCount }
        environment.refusal = { [media] in media.sessionRefusal }
        environment.open = { [unowned self] session, region in
            do {
                try media.open(
                    session.id, session.source, choice: session.choice, in: region.name, heard: heard(region))
                return nil
            } catch {
                return "\(error)"
            }
        }
        environment.perform = { [media] session, command in media.perform(session, command) }
        environment.close = { [media] session in media.close(session) }
        environment.position = { [media] session in media.position(of: session) }
        environment.soundEpoch = { [media] session in media.soundEpoch(of: session) }
        environment.showSlate = { [unowned self] region in showSlate(in: region) }
        return environment
    }

    /// Restarts the decoder when the picture is frozen while sound goes on (PLAY-45). Called once a second.
    func watchPictures(of region: RegionPlayer) {
        guard let session = region.player.current else { return }
        var watchdog = watchdogs[session.id] ?? RenderStallWatchdog()
        defer { watchdogs[session.id] = watchdog }
        guard session.isPlaying, region.player.isVisible else { return watchdog.reset() }
        let counters = mediaCounters(of: region)
        let counts = RenderStallWatchdog.Counts(
            pictures: counters.region.picturesPresented, audioFrames: counters.sound.framesWritten,
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
            started: { [unowned self] session, region in
                stageBefore[session.id] = media.regionCounters(region.name)
            })
    }

    /// Logs one line for each session that ends, as proof that it was played, and forgets what is kept of it.
    var proofOfPlay: SessionConsumer {
        SessionConsumer(
            "proof of play",
            ended: { [unowned self] session, region, now in
                let counters = media.counters(of: session.id, in: region.name)
                let before = stageBefore.removeValue(forKey: session.id)?.picturesPresented ?? 0
                log.playback(
                    .notice, "played",
                    [
                        "session": session.id, "name": session.name, "seconds": (now - session.opened).seconds,
                        "pictures": counters.region.picturesPresented - before,
                        "octets": counters.playback?.videoOctets ?? 0, "region": region.name,
                        "strategy": region.strategy ?? "none",
                    ])
                silentLooks[session.id] = nil
                watchdogs[session.id] = nil
            })
    }

    /// Posts the slate before the session opens, so that the slate never covers its first picture.
    var slates: SessionConsumer {
        SessionConsumer(
            "slate",
            opening: { [unowned self] _, region in
                if !region.player.screenHasPicture || serviceSlates.contains(region.name) { showSlate(in: region) }
                serviceSlates.remove(region.name)
            })
    }

    /// Logs the events of playback and emits them.
    var telling: SessionConsumer {
        SessionConsumer(
            "events",
            emitted: { [unowned self] event, region in
                log(event)
                var payload = event.payload
                if !region.isMain { payload["region"] = .string(region.name) }
                emit(event.family, event.name, payload)
            })
    }
}
