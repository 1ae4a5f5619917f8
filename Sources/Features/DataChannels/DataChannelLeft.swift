// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that a data channel is no longer received.
struct DataChannelLeft: FeatureEvent {
    let id: String
    let channel: String

    static let about = EventAbout(
        .data, "left", "A data channel is no longer received, after its last observer or at its place.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"), .value("channel", \.channel, .text, "its name"),
    ])
}
