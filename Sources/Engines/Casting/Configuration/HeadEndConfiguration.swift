// SPDX-License-Identifier: Apache-2.0
import Announcements
import Codecs
import Time
import Venue

/// What a head-end sends: the value of a document of `config/headend.schema.json`.
public struct HeadEndConfiguration: Equatable, Sendable {
    public struct Group: Hashable, Sendable {
        public var address: String
        public var port: UInt16
    }

    public enum Content: Equatable, Sendable {
        case testCard(VideoEncoder.Settings)
        /// Path of a media file.
        case file(String)
        case data(Data)
    }

    public struct Data: Equatable, Sendable {
        /// Media type of messages that do not say theirs.
        public var contentType: String
        public var schedule: MessageSchedule
        /// Highest rate of messages.
        public var kilobitsPerSecond: Int
    }

    /// A second form of a channel that any player plays, beside the form with repair windows that only boxes play.
    public struct Plain: Equatable, Sendable {
        public var transport: Transport
        public var parity: ParityShape?
    }

    public struct CastChannel: Equatable, Sendable {
        /// The channel's announcement; its transport has the repair and the second path.
        public var announcement: Announcement
        public var content: Content
        /// Parity blocks; nil unless the channel is repaired by parity.
        public var parity: ParityShape?
        public var plain: Plain?
        /// Group to which all flows of the channel's own address are sent instead of that address, for a relay; nil to
        /// send them there. `secondVia` is that of the second path.
        public var via: String?
        public var secondVia: String?
        /// Interface of the second path; nil for the head-end's.
        public var secondInterface: String?

        public init(announcement: Announcement, content: Content) {
            self.announcement = announcement
            self.content = content
        }

        /// The channel that SDP describes, for players that do not read JSON announcements; nil for a data channel.
        public var described: Channel? {
            var channel = announcement.channel
            guard channel.kind == .video else { return nil }
            if let plain { channel.transport = plain.transport }
            return channel
        }
    }

    public var streamer: Streamer.ID
    public var streamerName: String
    /// Interface for everything that is sent; nil when the route decides.
    public var interface: String?
    /// Multicast TTL.
    public var hops: UInt8
    /// SAP groups; empty to announce nothing.
    public var groups: [Group]
    public var channels: [CastChannel]
}
