// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes

/// The event that two senders send to the group and port of a channel, of which the first is played.
struct SecondSender: FeatureEvent {
    let id: String
    let channel: String
    let played: String
    let other: String

    static let about = EventAbout(
        .channels, "secondSender",
        "Two senders send different streams to the address of a channel; the first is played until it stops.")
    static let shape = Shape<Self>([
        .value("id", \.id, .text, "of the channel"),
        .value("channel", \.channel, .text, "its name"),
        .value("played", \.played, .text, "address and port of the sender that is played"),
        .value("other", \.other, .text, "address and port of the other one"),
    ])
}
