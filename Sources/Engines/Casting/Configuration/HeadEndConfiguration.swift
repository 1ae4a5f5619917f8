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
    }

    public struct CastChannel: Equatable, Sendable {
        public var announcement: Announcement
        public var content: Content
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
