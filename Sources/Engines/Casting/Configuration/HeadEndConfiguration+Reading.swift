// SPDX-License-Identifier: Apache-2.0
import Announcements
import Codecs
import JSON
import Settings
import Time
import Venue

extension HeadEndConfiguration {
    /// - Throws: `SettingsError` with field, value and expectation of each thing that is wrong.
    public init(parsing text: [UInt8]) throws(SettingsError) {
        let document = try Settings.document(parsing: text)
        self.init(SettingsReader(try Self.root.effective(document) { Self.check($0, into: &$1) }))
    }

    /// JSON Schema 2020-12: `config/headend.schema.json`.
    public static var jsonSchema: JSONValue {
        root.jsonSchema(
            id: "urn:touchline:headend:1", title: "Touchline head-end, version 1",
            description: "What touchline-streamer sends. Absent fields have their defaults.")
    }

    private static let root = SettingsType.group(fields)

    private init(_ document: SettingsReader) {
        let streamer = document.group("streamer")
        let network = document.group("network")
        let announcements = document.group("announcements")
        self.init(
            streamer: Streamer.ID(streamer.text("id")), streamerName: streamer.text("name"),
            interface: network.optionalText("interface"), hops: UInt8(clamping: network.integer("hops")),
            groups: announcements.groups("groups").map {
                Group(address: $0.text("address"), port: UInt16(clamping: $0.integer("port")))
            }, channels: [])
        let license = document.group("license")
        let fieldOfUse = FieldOfUse(
            venueName: license.text("venueName"), contentOwner: license.text("contentOwner"),
            appDeveloper: license.text("appDeveloper"))
        let interval = announcements.milliseconds("intervalMs")
        channels = document.groups("channels").map { channel in
            let content = Self.content(channel)
            let announcement = Announcement(
                streamer: self.streamer, streamerName: streamerName, sessionNumber: Int64(channel.integer("number")),
                sessionTitle: channel.text("title"), license: fieldOfUse, name: channel.text("name"),
                text: channel.text("text"), bandwidthKbps: content.bandwidthKbps,
                transport: Self.transport(channel),
                playoutDelay: channel.optionalInteger("playoutDelayMs").map { .milliseconds(Int64($0)) },
                interval: interval)
            return CastChannel(announcement: announcement, content: content)
        }
    }

    private static func transport(_ channel: SettingsReader) -> Transport {
        let payloadType = UInt8(clamping: channel.integer("payloadType"))
        return Transport(
            address: channel.text("address"), port: UInt16(clamping: channel.integer("port")),
            source: channel.optionalText("source"),
            encapsulation: channel.text("encapsulation") == "raw" ? .raw : .rtp(payloadType: payloadType))
    }

    private static func content(_ channel: SettingsReader) -> Content {
        guard channel.text("kind") == "testCard" else { return .file(channel.text("file")) }
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

    /// What the table cannot say: between fields, and of numbers that must be even.
    private static func check(_ document: SettingsReader, into problems: inout [SettingsProblem]) {
        let id = document.group("streamer").text("id")
        if !id.utf8.allSatisfy(isIdentifier) {
            problems.append(SettingsProblem(path: "/streamer/id", value: .string(id), expectation: "A-Z a-z 0-9 . _ -"))
        }
        var numbers: Set<Int> = []
        var targets: Set<String> = []
        for (index, channel) in document.groups("channels").enumerated() {
            func refuse(_ field: String, _ value: JSONValue, _ expectation: String) {
                problems.append(
                    SettingsProblem(path: "/channels/\(index)/\(field)", value: value, expectation: expectation))
            }
            let number = channel.integer("number")
            if !numbers.insert(number).inserted {
                refuse("number", .integer(Int64(number)), "a number that no other channel has")
            }
            let (address, port) = (channel.text("address"), channel.integer("port"))
            if !targets.insert("\(address) \(port)").inserted {
                refuse("port", .integer(Int64(port)), "no channel before with address and port the same")
            }
            for field in ["width", "height"] where channel.integer(field) % 2 == 1 {
                refuse(field, .integer(Int64(channel.integer(field))), "an even number")
            }
            if channel.text("kind") == "file", channel.text("file").isEmpty {
                refuse("file", "", "the path of a media file")
            }
        }
    }

    private static func isIdentifier(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension HeadEndConfiguration.Content {
    /// With sound and what the transport stream adds; 0 for a file, which nobody has measured.
    var bandwidthKbps: Int {
        switch self {
        case .testCard(let settings): (settings.kilobitsPerSecond + 128) * 108 / 100
        case .file: 0
        }
    }
}

extension ChannelCaster {
    /// - Throws: what keeps this channel from being made: an encoder or a font that is not there, or a file.
    public convenience init(
        _ channel: HeadEndConfiguration.CastChannel, identity: Identity
    ) throws {
        let announcement = channel.announcement
        let source: any CastSource =
            switch channel.content {
            case .testCard(let settings): try TestCardSource(name: announcement.name, settings: settings)
            case .file(let path): try FileSource(path: path)
            }
        self.init(
            source, provider: announcement.streamerName, name: announcement.name,
            encapsulation: announcement.transport.encapsulation, identity: identity)
    }
}
