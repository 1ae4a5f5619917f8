// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that a data channel is received.
struct DataChannelJoined: FeatureEvent {
    let id: String
    let channel: String

    static let about = EventAbout(
        .data, "joined", "A data channel is received, for its first observer or at another place.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"), .value("channel", \.channel, .text, "its name"),
    ])
}
