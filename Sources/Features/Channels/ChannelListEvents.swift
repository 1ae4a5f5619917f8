// SPDX-License-Identifier: Apache-2.0
import Hosting
import Shapes
import Venue

/// The whole list of a kind of channels, and what changed in it (SVM-31, 32).
struct ChannelListChange: Sendable {
    var added: [String] = []
    var changed: [String] = []
    var removed: [String] = []
    var channels: [ChannelDocument] = []

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

protocol ChannelListEvent: FeatureEvent {
    var list: ChannelListChange { get }
}

extension Field where Root: ChannelListEvent {
    fileprivate static var ofList: [Field] {
        [
            .value("added", \.list.added, .list(of: .text), "ids of the channels that were added"),
            .value("changed", \.list.changed, .list(of: .text), "ids of those that changed"),
            .value("removed", \.list.removed, .list(of: .text), "ids of those that were removed"),
            .value("channels", \.list.channels, .list(of: .channel), "the whole list in its order"),
        ]
    }
}

struct VideoChannelsChanged: ChannelListEvent {
    let list: ChannelListChange

    static let about = EventAbout(.channels, "video", "The list of video channels and playlists changed.")
    static let shape = Shape<Self>(Field.ofList)
}

struct DataChannelsChanged: ChannelListEvent {
    let list: ChannelListChange

    static let about = EventAbout(.channels, "data", "The list of data channels changed.")
    static let shape = Shape<Self>(Field.ofList)
}

struct FileChannelsChanged: ChannelListEvent {
    let list: ChannelListChange

    static let about = EventAbout(.channels, "file", "The list of file channels changed.")
    static let shape = Shape<Self>(Field.ofList)
}
