// SPDX-License-Identifier: Apache-2.0
import Codecs
import Commands
import Hosting
import Journal
import Playback

/// Emits the events of playback, and logs those that a technician looks for.
struct PlaybackAnnouncer {
    private let context: FeatureContext
    private let log: Log

    init(_ context: FeatureContext) {
        self.context = context
        log = context.journal.log(for: "playback")
    }

    static var events: [EventDescription] {
        let named = [NamedVideo.bufferingActive, NamedVideo.bufferingInactive, NamedVideo.currentChannelInvalid]
        let moments = [
            SessionMoment.ready, SessionMoment.play, SessionMoment.pause, SessionMoment.end, SessionMoment.terminate,
        ]
        let ofVideo = [EventDescription(ChannelStateChanged.self), EventDescription(StreamUnsupported.self)]
        let ofSessions = [
            EventDescription(DecoderChanged.self), EventDescription(SessionFailed.self),
            EventDescription(SessionProgress.self), EventDescription(DurationChanged.self),
            EventDescription(CuePointsPassed.self),
        ]
        return ofVideo + named.map { EventDescription($0, NamedVideo.self) }
            + moments.map { EventDescription($0, SessionMoment.self) } + ofSessions
    }

    var consumer: SessionConsumer {
        SessionConsumer(
            "events",
            emitted: { event, region in
                log(event)
                emit(event, region.isMain ? nil : region.name)
            })
    }

    private func log(_ event: PlaybackEvent) {
        switch event {
        case .session(let session, .fail(let failure)) where failure.code == .noSourceFound:
            log(.error, "no source found", ["session": session, "video": failure.why])
        case .session(let session, .fail(let failure)):
            log(.error, "session failed", ["session": session, "code": failure.code.rawValue, "why": failure.why])
        case .streamUnsupported(let session, let what):
            log(.warning, "stream not supported", ["session": session, "stream": what])
        case .decoderChanged(let session, let opening):
            log(
                opening.tier == .none ? .warning : .notice, "decoder",
                [
                    "session": session, "decoder": opening.tier.name, "device": opening.tier.device ?? "",
                    "reason": opening.reason ?? "", "detail": opening.detail ?? "",
                ])
        case .channelState, .buffering, .currentChannelInvalid, .programsChanged, .session: break
        }
    }

    private func emit(_ event: PlaybackEvent, _ region: String?) {
        switch event {
        case .channelState(let state, let name):
            context.emit(ChannelStateChanged(channelName: name, channelState: state, region: region))
        case .buffering(let buffers, let name):
            context.emit(
                buffers ? NamedVideo.bufferingActive : NamedVideo.bufferingInactive,
                NamedVideo(channelName: name, region: region))
        case .currentChannelInvalid(let name):
            context.emit(NamedVideo.currentChannelInvalid, NamedVideo(channelName: name, region: region))
        case .streamUnsupported(let session, let what):
            context.emit(StreamUnsupported(session: session, what: what, region: region))
        case .decoderChanged(let session, let opening):
            context.emit(DecoderChanged(session: session, opening: opening, region: region))
        case .programsChanged: break  // told of the channel when they differ from those that were known
        case .session(let session, let event): emit(event, of: session, region)
        }
    }

    private func emit(_ event: SessionEvent, of session: Int, _ region: String?) {
        let moment = SessionMoment(session: session, region: region)
        switch event {
        case .ready: context.emit(SessionMoment.ready, moment)
        case .play: context.emit(SessionMoment.play, moment)
        case .pause: context.emit(SessionMoment.pause, moment)
        case .end: context.emit(SessionMoment.end, moment)
        case .terminate: context.emit(SessionMoment.terminate, moment)
        case .fail(let failure): context.emit(SessionFailed(session: session, failure: failure, region: region))
        case .progress(let from, let to):
            context.emit(SessionProgress(session: session, from: from, to: to, region: region))
        case .durationChanged(let duration):
            context.emit(DurationChanged(session: session, duration: duration, region: region))
        case .cuePoints(let from, let to, let passed):
            context.emit(CuePointsPassed(session: session, from: from, to: to, passed: passed.points, region: region))
        }
    }
}

extension LadderDecoder.Tier {
    var name: String {
        switch self {
        case .none: "none"
        case .software: "software"
        case .device: "hardware"
        }
    }

    /// Path of the decoder's device; nil if it has none.
    var device: String? {
        if case .device(let path) = self { path } else { nil }
    }
}
