// SPDX-License-Identifier: Apache-2.0
import Hosting
import LineUp
import Shapes

/// The event that another programme is on, or that one is over.
struct NowNextChanged: FeatureEvent {
    let id: String
    let channel: String
    let now: BroadcastAnswer?
    let next: BroadcastAnswer?

    static let about = EventAbout(.channels, "nowNext", "What is on a channel became another, or is over.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("now", \.now, .optional(.row), "what is on, or null"),
        .value("next", \.next, .optional(.row), "what follows, or null"),
    ])
}
