// SPDX-License-Identifier: Apache-2.0
import Codecs
import Hosting
import Shapes
import Venue

/// The state of the player (SVM-80…86).
struct ChannelStateChanged: FeatureEvent {
    let channelName: String
    let channelState: PlayerState
    /// nil for `main`, as in all events of playback.
    let region: String?

    static let about = EventAbout(.video, "channelState", "The player went to another state.")
    static let shape = Shape<Self>([
        .value("channelName", \.channelName, .text, "of the channel or video"),
        .value("channelState", \.channelState.rawValue, .text, "open, play, rewind, live, stop or close"),
        .inRegion(\.region),
    ])
}

/// The payload of events that only name the channel or video.
struct NamedVideo: Answer {
    let channelName: String
    let region: String?

    static let bufferingActive = EventAbout(.video, "bufferingActive", "What should be presented has not come.")
    static let bufferingInactive = EventAbout(.video, "bufferingInactive", "It has come.")
    static let currentChannelInvalid = EventAbout(
        .video, "currentChannelInvalid", "The channel that plays was removed from the line-up.")
    static let shape = Shape<Self>([
        .value("channelName", \.channelName, .text, "of the channel or video"), .inRegion(\.region),
    ])
}

struct StreamUnsupported: FeatureEvent {
    let session: Int
    let what: String
    let region: String?

    static let about = EventAbout(.video, "streamUnsupported", "A stream cannot be played; the others go on.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .value("what", \.what, .text, "the stream and its coding"), .inRegion(\.region),
    ])
}

struct DecoderChanged: FeatureEvent {
    let session: Int
    let opening: LadderDecoder.Opening
    let region: String?

    static let about = EventAbout(.session, "decoder", "The decoder of the pictures is another one.")
    static let shape = Shape<Self>([
        .ofSession(\.session), .value("decoder", \.opening.tier.name, .text, "hardware, software or none"),
        .unlessNil("device", \.opening.tier.device, .text, "path of the device; absent: none"),
        .unlessNil("reason", \.opening.reason, .text, "why it is not the one that is preferred"),
        .inRegion(\.region),
    ])
}

extension Field {
    static func ofSession(_ path: any KeyPath<Root, Int> & Sendable) -> Field {
        .value("session", path, .integer, "number of the session")
    }

    static func inRegion(_ path: any KeyPath<Root, String?> & Sendable) -> Field {
        .unlessNil("region", path, .text, "of the stage; absent: main")
    }
}
