// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Playback
import Programming
import Time
import Venue

/// Names and members of the events. Those of the family `video` are the reference's.
extension PlaybackEvent {
    var family: Event.Family {
        switch self {
        case .session, .decoderChanged: .session
        case .channelState, .buffering, .currentChannelInvalid, .streamUnsupported: .video
        }
    }

    var name: String {
        switch self {
        case .channelState: "channelState"
        case .buffering(let buffers, _): buffers ? "bufferingActive" : "bufferingInactive"
        case .currentChannelInvalid: "currentChannelInvalid"
        case .streamUnsupported: "streamUnsupported"
        case .decoderChanged: "decoder"
        case .session(_, let event): event.name
        }
    }

    var payload: JSONValue {
        switch self {
        case .channelState(let state, let name):
            ["channelName": .string(name), "channelState": .string(state.rawValue)]
        case .buffering(_, let name), .currentChannelInvalid(let name): ["channelName": .string(name)]
        case .streamUnsupported(let session, let what): ["session": .integer(Int64(session)), "what": .string(what)]
        case .decoderChanged(let session, let opening):
            .object(opening.members.merging(["session": .integer(Int64(session))]) { $1 })
        case .session(let session, let event):
            .object(event.members.merging(["session": .integer(Int64(session))]) { $1 })
        }
    }
}

extension LadderDecoder.Opening {
    fileprivate var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["decoder": .string(rung.name)]
        if let device = rung.device { members["device"] = .string(device) }
        if let reason { members["reason"] = .string(reason) }
        return members
    }
}

extension LadderDecoder.Rung {
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

extension SessionEvent {
    fileprivate var name: String {
        switch self {
        case .ready: "ready"
        case .play: "play"
        case .pause: "pause"
        case .end: "end"
        case .terminate: "terminate"
        case .fail: "fail"
        case .progress: "progress"
        case .durationChanged: "durationChanged"
        case .cuePoints: "cuePoints"
        }
    }

    fileprivate var members: [String: JSONValue] {
        switch self {
        case .ready, .play, .pause, .end, .terminate: [:]
        case .fail(let failure): ["code": .string(failure.code.rawValue), "why": .string(failure.why)]
        case .progress(let from, let to): Self.span(from, to)
        case .durationChanged(let duration): ["durationMs": .integer(duration.milliseconds)]
        case .cuePoints(let from, let to, let collection):
            Self.span(from, to).merging(["cuePoints": .array(collection.points.map(\.json))]) { $1 }
        }
    }

    private static func span(_ from: Nanoseconds, _ to: Nanoseconds) -> [String: JSONValue] {
        ["previousTimeMs": .integer(from.milliseconds), "currentTimeMs": .integer(to.milliseconds)]
    }
}

extension CuePoint {
    fileprivate var json: JSONValue {
        [
            "timeMs": .integer(position.milliseconds), "kind": .string(kind), "properties": .object(properties),
        ]
    }
}
