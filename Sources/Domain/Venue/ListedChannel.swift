// SPDX-License-Identifier: Apache-2.0

/// A place in the list that people see: a channel or a playlist, with all that settings say of it.
public struct ListedChannel: Hashable, Sendable {
    public enum Origin: String, Sendable, CaseIterable { case settings, announcement, playlist }

    public enum Content: Hashable, Sendable {
        /// As it is tuned, under the name of the list.
        case channel(Channel)
        /// Name of one of the settings' playlists.
        case playlist(String)
    }

    /// Of the channel; `playlist:<name>` of a playlist.
    public var id: Channel.ID
    /// Logical number; no other of the list has it.
    public var number: Int
    public var name: String
    /// As announced or written, before `lineUp.channels` gave it another.
    public var ownName: String
    public var groups: [String]
    public var isFavourite: Bool
    /// Not shown and passed by when zapping; it can be tuned all the same.
    public var isHidden: Bool
    public var content: Content

    public init(
        id: Channel.ID, number: Int, name: String, ownName: String, groups: [String], isFavourite: Bool,
        isHidden: Bool, content: Content
    ) {
        self.id = id
        self.number = number
        self.name = name
        self.ownName = ownName
        self.groups = groups
        self.isFavourite = isFavourite
        self.isHidden = isHidden
        self.content = content
    }

    /// Nil for a playlist.
    public var channel: Channel? {
        if case .channel(let channel) = content { channel } else { nil }
    }

    public var kind: Channel.Kind { channel?.kind ?? .video }

    public var origin: Origin {
        switch content {
        case .playlist: .playlist
        case .channel(let channel): channel.streamer == nil ? .settings : .announcement
        }
    }
}

extension Channel.ID {
    /// No channel has it: ids of streamers hold no colon, and those of settings begin otherwise.
    public static func playlist(_ name: String) -> Channel.ID { Channel.ID("playlist:\(name)") }
}
