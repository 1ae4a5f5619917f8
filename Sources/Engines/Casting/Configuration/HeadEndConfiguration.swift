// SPDX-License-Identifier: Apache-2.0
import Announcements
import Codecs
import Time
import Venue

/// What a head-end sends: `config/headend.schema.json` as a value.
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
        /// Media type of messages that say none.
        public var contentType: String
        public var schedule: MessageSchedule
        /// The most that messages take.
        public var kilobitsPerSecond: Int
    }

    /// A channel's packets as anybody plays them, beside those that only boxes do.
    public struct Plain: Equatable, Sendable {
        public var transport: Transport
        public var parity: ParityShape?
    }

    public struct CastChannel: Equatable, Sendable {
        /// Its transport says what repairs the channel and where it comes once more.
        public var announcement: Announcement
        public var content: Content
        /// Of a channel that is repaired by parity.
        public var parity: ParityShape?
        public var plain: Plain?
        /// Group that all of the channel's own address is sent to instead; so of its second path.
        public var via: String?
        public var secondVia: String?
        /// Interface of the second path; nil: that of all.
        public var secondInterface: String?

        public init(announcement: Announcement, content: Content) {
            self.announcement = announcement
            self.content = content
        }

        /// What players that do not read our announcements are told; nil when there is nothing for them.
        public var described: Channel? {
            var channel = announcement.channel
            guard channel.kind == .video else { return nil }
            if let plain { channel.transport = plain.transport }
            return channel
        }
    }

    public var streamer: Streamer.ID
    public var streamerName: String
    /// Interface of all that is sent; nil: the route's choice.
    public var interface: String?
    /// Multicast TTL.
    public var hops: UInt8
    /// Where SAP goes; empty: nothing is announced.
    public var groups: [Group]
    public var channels: [CastChannel]
}
