// SPDX-License-Identifier: Apache-2.0

/// An entry of the list that viewers see: a channel or a playlist, with what the settings say about it.
public struct ListedChannel: Hashable, Sendable {
    public enum Origin: String, Sendable, CaseIterable { case settings, announcement, playlist }

    public enum Content: Hashable, Sendable {
        /// The channel as it is tuned, under its name in the list.
        case channel(Channel)
        /// The name of one of the settings' playlists.
        case playlist(String)
    }

    /// The channel's id; `playlist:<name>` for a playlist.
    public var id: Channel.ID
    /// Logical number, unique in the list.
    public var number: Int
    public var name: String
    /// The name as announced or configured, before `lineUp.channels` replaced it.
    public var ownName: String
    public var groups: [String]
    public var isFavourite: Bool
    /// A hidden entry is not listed and channel-up and channel-down skip it; it can still be tuned.
    public var isHidden: Bool
    /// Path of a PNG file on the box; nil for none.
    public var logo: String?
    public var content: Content

    public init(
        id: Channel.ID, number: Int, name: String, ownName: String, groups: [String], isFavourite: Bool,
        isHidden: Bool, logo: String? = nil, content: Content
    ) {
        self.id = id
        self.number = number
        self.name = name
        self.ownName = ownName
        self.groups = groups
        self.isFavourite = isFavourite
        self.isHidden = isHidden
        self.logo = logo
        self.content = content
    }

    /// nil for a playlist.
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
    /// No channel has such an id: those of plain SAP/SDP begin with `sap:` or `sdp:`, those of settings with `settings:`,
    /// and those of a streamer hold no colon.
    public static func playlist(_ name: String) -> Channel.ID { Channel.ID("playlist:\(name)") }
}
