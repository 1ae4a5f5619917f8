// SPDX-License-Identifier: Apache-2.0
import Announcements
import Codecs
import JSON
import Settings
import Shapes
import Time
import Venue

extension HeadEndConfiguration {
    /// - Throws: `SettingsError` with field, value and expectation of everything that is wrong.
    public init(parsing text: [UInt8]) throws(SettingsError) {
        let document = try Settings.document(parsing: text)
        self.init(SettingsReader(try Self.root.effective(document) { Self.check($0, into: &$1) }))
    }

    /// The JSON Schema (2020-12) that is kept in `config/headend.schema.json`.
    public static var jsonSchema: JSONValue {
        root.jsonSchema(
            id: "urn:touchline:headend:1", title: "Touchline head-end, version 1",
            description: "What touchline-streamer sends. Absent fields have their defaults.")
    }

    private static let root = ValueKind.record(fields)

    private init(_ document: SettingsReader) {
        let streamer = document.group("streamer")
        let network = document.group("network")
        self.init(
            streamer: Streamer.ID(streamer.text("id")), streamerName: streamer.text("name"),
            interface: network.optionalText("interface"), hops: UInt8(clamping: network.integer("hops")),
            groups: document.group("announcements").groups("groups").map {
                Group(address: $0.text("address"), port: UInt16(clamping: $0.integer("port")))
            }, channels: document.groups("channels").map { Self.castChannel($0, of: document) })
    }

    static func castChannel(_ channel: SettingsReader, of document: SettingsReader) -> CastChannel {
        let (streamer, license) = (document.group("streamer"), document.group("license"))
        let content = content(channel)
        let transport = transport(channel, kilobitsPerSecond: content.bandwidthKbps)
        let said = channel.optionalInteger("playoutDelayMs").map { Nanoseconds.milliseconds(Int64($0)) }
        let announcement = Announcement(
            streamer: Streamer.ID(streamer.text("id")), streamerName: streamer.text("name"),
            sessionNumber: Int64(channel.integer("number")), sessionTitle: channel.text("title"),
            license: FieldOfUse(
                venueName: license.text("venueName"), contentOwner: license.text("contentOwner"),
                appDeveloper: license.text("appDeveloper")),
            kind: content.kind, name: channel.text("name"), text: channel.text("text"),
            bandwidthKbps: content.bandwidthKbps, transport: transport,
            playoutDelay: said ?? Self.playoutDelay(transport),
            interval: document.group("announcements").milliseconds("intervalMs"), contentType: content.contentType)
        var cast = CastChannel(announcement: announcement, content: content)
        if case .parity = transport.repair { cast.parity = channel.optionalGroup("repair").map(parityShape) }
        cast.plain = channel.optionalGroup("plain").map {
            plain($0, beside: transport, kilobitsPerSecond: content.bandwidthKbps)
        }
        cast.via = channel.optionalText("via")
        let second = channel.optionalGroup("secondPath")
        cast.secondVia = second?.optionalText("via")
        cast.secondInterface = second?.optionalText("interface")
        return cast
    }

    /// The greater of the repair's span and the second path's skew, and 200 ms for the network; nil without either.
    private static func playoutDelay(_ transport: Transport) -> Nanoseconds? {
        let needs = [transport.repair?.span, transport.secondPath?.skew].compactMap { $0 }
        return needs.max().map { min($0 + .milliseconds(200), .milliseconds(30_000)) }
    }

    /// Sets the messages of data channels that have none of their own.
    public mutating func sendMessages(_ messages: [OutgoingMessage]) {
        for index in channels.indices {
            guard case .data(var data) = channels[index].content, data.schedule.messages.isEmpty else { continue }
            data.schedule.messages = messages
            data.schedule.hasPlaceholders = false
            channels[index].content = .data(data)
        }
    }

    static func content(_ channel: SettingsReader) -> Content {
        switch channel.text("kind") {
        case "file": return .file(channel.text("file"))
        case "data":
            let messages = channel.texts("messages").map { OutgoingMessage(octets: Array($0.utf8)) }
            let schedule = MessageSchedule(messages, every: channel.milliseconds("everyMs"), hasPlaceholders: true)
            return .data(
                Data(
                    contentType: channel.text("contentType"), schedule: schedule,
                    kilobitsPerSecond: channel.integer("bitrateKbps")))
        default: break
        }
        let name = channel.text("rate")
        guard let rate = rates.first(where: { $0.name == name }) else { preconditionFailure("rate \(name)") }
        var settings = VideoEncoder.Settings(
            width: channel.integer("width"), height: channel.integer("height"),
            rate: (rate.numerator, rate.denominator), gop: channel.integer("gop"),
            kilobitsPerSecond: channel.integer("bitrateKbps"))
        settings.bFrames = channel.integer("bFrames")
        settings.isLowDelay = settings.bFrames == 0
        settings.preset = channel.choice("preset")
        return .testCard(settings)
    }
}

extension HeadEndConfiguration.Content {
    /// Kilobits per second with sound and the overhead of the transport stream; 0 for a file, which was not measured,
    /// and for data.
    var bandwidthKbps: Int {
        switch self {
        case .testCard(let settings): (settings.kilobitsPerSecond + 128) * 108 / 100
        case .file, .data: 0
        }
    }

    var kind: Channel.Kind { if case .data = self { .data } else { .video } }

    var contentType: String? { if case .data(let data) = self { data.contentType } else { nil } }
}

extension ChannelCaster {
    /// - Throws: the reason why the channel cannot be made: a missing encoder, font or file.
    convenience init(_ channel: HeadEndConfiguration.CastChannel, identity: Identity) throws {
        let announcement = channel.announcement
        let source: any CastSource =
            switch channel.content {
            case .testCard(let settings): try TestCardSource(name: announcement.name, settings: settings)
            case .file(let path): try FileSource(path: path)
            case .data: preconditionFailure("data has no pictures")
            }
        self.init(
            source, provider: announcement.streamerName, name: announcement.name,
            encapsulation: announcement.transport.encapsulation, identity: identity)
    }
}
