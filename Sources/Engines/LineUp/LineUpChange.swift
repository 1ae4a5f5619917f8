// SPDX-License-Identifier: Apache-2.0
import Venue

/// A real change of the line-up, to be told to its observers in this order.
public enum LineUpChange: Equatable, Sendable {
    public enum Removal: String, Sendable {
        /// Three intervals of silence.
        case pruned
        /// The streamer said so.
        case deleted
        /// Settings or the channel's licence changed.
        case revoked
    }

    case channelAdded(ListedChannel)
    /// What it says itself, what settings say of it, or its number, which another has now.
    case channelChanged(ListedChannel, was: ListedChannel)
    case channelRemoved(ListedChannel, Removal)
    case streamerAdded(Streamer)
    /// Its name or version. The channel count follows from the channels' changes.
    case streamerChanged(Streamer)
    /// Its last session is gone.
    case streamerRemoved(Streamer)
}
