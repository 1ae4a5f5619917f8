// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// One channel as a head-end announces it: version 1 of `config/announcement.schema.json`, explained for those who want
/// to send it in `config/ANNOUNCEMENT.md`.
public struct Announcement: Equatable, Sendable {
    public static let version: Int64 = 1
    /// A longer body is refused; one that fits in an Ethernet frame, 1 kB, is advised.
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
    /// 0: not said.
    public var bandwidthKbps: Int
    public var transport: Transport
    /// Nil: as the box's settings say.
    public var playoutDelay: Nanoseconds?
    /// From one announcement of this session to the next.
    public var interval: Nanoseconds
    /// Media type of a data channel's messages; nil: not said.
    public var contentType: String?
    /// Of an announcement that was read: what of its transport is left out, since no box can use it.
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

    /// The same for as long as the head-end announces the session. No streamer id holds a slash or a colon, so no
    /// two sessions share one, nor does a session share one with a channel of plain SAP or of the settings.
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
