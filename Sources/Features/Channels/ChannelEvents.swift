// SPDX-License-Identifier: Apache-2.0
import Hosting
import LineUp
import Shapes

/// The event that a channel was added to the line-up.
struct ChannelAdded: FeatureEvent {
    let channel: ChannelDocument

    static let about = EventAbout(.channels, "added", "A channel or a playlist was added to the line-up.")
    static let shape = Shape<Self>([.value("channel", \.channel, .channel, "as the command channels shows it")])
}

/// The event that a channel changed, or what the settings say about it, or its number.
struct ChannelChanged: FeatureEvent {
    let channel: ChannelDocument
    let changed: [String]

    static let about = EventAbout(.channels, "changed", "A channel of the line-up changed.")
    static let shape = Shape<Self>([
        .value("channel", \.channel, .channel, "as it is now"),
        .value("changed", \.changed, .list(of: .text), "names of the members that changed"),
    ])
}

/// The event that a channel was removed from the line-up.
struct ChannelRemoved: FeatureEvent {
    let channel: ChannelDocument
    let why: LineUpChange.Removal

    static let about = EventAbout(.channels, "removed", "A channel was removed from the line-up.")
    static let shape = Shape<Self>([
        .value("channel", \.channel, .channel, "as it was last"),
        .value("why", \.why.rawValue, .choice(["pruned", "deleted", "revoked"]), "silence, its sender, or settings"),
    ])
}
