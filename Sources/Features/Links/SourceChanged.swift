// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that another of a channel's sources is heard, because the one before is silent.
struct SourceChanged: FeatureEvent {
    let id: String
    let channel: String
    let source: String

    static let about = EventAbout(.channels, "sourceChanged", "Another of the channel's sources is heard.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("source", \.source, .text, "address of the source that is heard"),
    ])
}
