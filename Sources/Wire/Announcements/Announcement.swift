// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// A channel as a head-end announces it: version 1 of `config/announcement.schema.json`. `config/ANNOUNCEMENT.md`
/// explains it for senders.
public struct Announcement: Equatable, Sendable {
    public static let version: Int64 = 1
    /// Octets of the longest body accepted. A body that fits in an Ethernet frame, 1 kB, is advised.
    public static let mostOctets = 8_192
    public static let usualInterval = Nanoseconds.seconds(5)

    public var streamer: Streamer.ID
    public var streamerName: String
    public var sessionNumber: Int64
    public var sessionTitle: String
    public var license: FieldOfUse
    public var kind: Channel.Kind
    public var name: String
    public var text: String
    /// In kbit/s; 0 if not stated.
    public var bandwidthKbps: Int
    public var transport: Transport
    /// Nil if the box's settings decide.
    public var playoutDelay: Nanoseconds?
    /// Interval between two announcements of this session.
    public var interval: Nanoseconds
    /// Media type of a data channel's messages; nil if not stated.
    public var contentType: String?
    /// Why a part of the transport was left out when the announcement was read, because no box can use it; nil if
    /// nothing was.
    public internal(set) var unusableRepair: UnusableRepair?

    public init(
        streamer: Streamer.ID, streamerName: String = "", sessionNumber: Int64, sessionTitle: String = "",
        license: FieldOfUse, kind: Channel.Kind = .video, name: String, text: String = "", bandwidthKbps: Int = 0,
        transport: Transport, playoutDelay: Nanoseconds? = nil, interval: Nanoseconds = usualInterval,
        contentType: String? = nil
    ) {
        self.streamer = streamer
        self.streamerName = streamerName
        self.sessionNumber = sessionNumber
        self.sessionTitle = sessionTitle
        self.license = license
        self.kind = kind
        self.name = name
        self.text = text
        self.bandwidthKbps = bandwidthKbps
        self.transport = transport
        self.playoutDelay = playoutDelay
        self.interval = interval
        self.contentType = contentType
    }

    /// Id of the channel, constant while the head-end announces the session. A streamer id contains no slash and no
    /// colon, so two sessions never share an id, and neither does a session with a channel of plain SAP or of the
    /// settings.
    public var channelID: Channel.ID { Channel.ID("\(streamer)/\(sessionNumber)") }

    public var channel: Channel {
        var channel = Channel(
            id: channelID, kind: kind, name: name, channelText: text, sessionNumber: sessionNumber,
            sessionTitle: sessionTitle, bandwidthKbps: bandwidthKbps, fieldOfUse: license, transport: transport,
            playoutDelay: playoutDelay, streamer: streamer)
        channel.contentType = contentType
        return channel
    }
}
