// SPDX-License-Identifier: Apache-2.0
import Venue

/// A change of the line-up. Observers are told of changes in the order in which `LineUp` returns them.
public enum LineUpChange: Equatable, Sendable {
    public enum Removal: String, Sendable {
        /// Silent for too long, see `LineUpSettings.missedIntervals`.
        case pruned
        /// Deleted by its streamer, or replaced by a newer session of the same sender.
        case deleted
        /// Settings or the channel's licence changed.
        case revoked
    }

    case channelAdded(ListedChannel)
    /// The channel itself changed, or what settings say about it, or its number because another channel took it.
    case channelChanged(ListedChannel, was: ListedChannel)
    case channelRemoved(ListedChannel, Removal)
    case streamerAdded(Streamer)
    /// The streamer's name or version changed. Its channel count follows from the changes of channels.
    case streamerChanged(Streamer)
    /// The streamer's last session is gone.
    case streamerRemoved(Streamer)

    /// What changed, in a few words.
    public var summary: String {
        switch self {
        case .channelAdded(let entry): "\(entry.name) added"
        case .channelChanged(let entry, _): "\(entry.name) changed"
        case .channelRemoved(let entry, let why): "\(entry.name) \(why.rawValue)"
        case .streamerAdded(let streamer): "streamer \(streamer.name) added"
        case .streamerChanged(let streamer): "streamer \(streamer.name) changed"
        case .streamerRemoved(let streamer): "streamer \(streamer.name) removed"
        }
    }

    /// Whether the change concerns an entry of this kind.
    public func concerns(_ kind: Channel.Kind) -> Bool {
        switch self {
        case .channelAdded(let entry), .channelRemoved(let entry, _): entry.kind == kind
        case .channelChanged(let entry, let was): entry.kind == kind || was.kind == kind
        case .streamerAdded, .streamerChanged, .streamerRemoved: false
        }
    }

    /// The channel or playlist that the change concerns; nil for a streamer.
    public var channel: Channel.ID? {
        switch self {
        case .channelAdded(let entry), .channelChanged(let entry, _), .channelRemoved(let entry, _): entry.id
        case .streamerAdded, .streamerChanged, .streamerRemoved: nil
        }
    }
}
