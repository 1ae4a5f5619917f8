// SPDX-License-Identifier: Apache-2.0
import Programming
import Scene
import Time
import Venue

extension Settings {
    /// - Parameter document: checked, and with all defaults.
    public init(effective document: SettingsReader) {
        let license = document.group("license")
        let control = document.group("control")
        self.init(
            boxName: document.group("box").text("name"), boxTags: document.group("box").texts("tags"),
            license: FieldOfUse(
                venueName: license.text("venueName"), contentOwner: license.text("contentOwner"),
                appDeveloper: license.text("appDeveloper")),
            network: Network(document.group("network")),
            announcements: Announcements(document.group("announcements")),
            channels: document.groups("channels").map { ConfiguredChannel($0) },
            lineUp: LineUp(document.group("lineUp")),
            playback: Playback(document.group("playback")),
            monitor: MonitorLimits(document.group("reception").group("monitor")),
            playlists: document.groups("playlists").map { Playlist($0) },
            layouts: document.groups("layouts").map { Layout($0) },
            strategies: document.groups("strategies").map { Strategy($0) },
            output: Output(document.group("output")),
            screenText: ScreenText(document.group("screenText")),
            sound: Sound(document.group("sound")),
            data: Data(document.group("data")), health: Health(document.group("health")),
            log: Log(document.group("log")),
            controlSocket: control.text("socket"))
    }
}

extension Settings.Network {
    init(_ group: SettingsReader) {
        interface = group.optionalText("interface")
        accessPoints = group.groups("wifiApInfo").map { point in
            let bssid = String(point.text("bssid").lowercased().map { $0 == "-" ? ":" : $0 })
            return Settings.AccessPoint(name: point.text("name"), bssid: bssid)
        }
        rejoinWait = group.milliseconds("rejoinAfterMs")
        longestRejoinWait = max(rejoinWait, group.milliseconds("rejoinLimitMs"))
        sourceFailover = group.milliseconds("sourceFailoverMs")
        findsParity = group.boolean("findParity")
        debug = Settings.NetworkDebug(group.group("debug"))
    }
}

extension Settings.Announcements {
    init(_ group: SettingsReader) {
        groups = group.groups("groups").map {
            Settings.Group(address: $0.text("address"), port: UInt16(clamping: $0.integer("port")))
        }
        allowedSources = group.texts("allow").compactMap { NumericAddress($0) }
        deniedSources = group.texts("deny").compactMap { NumericAddress($0) }
        listsUnlicensed = group.text("unlicensed") == "list"
        missedIntervals = group.integer("missedIntervals")
        pruneMinimum = group.milliseconds("pruneMinimumMs")
    }
}

extension Settings.ConfiguredChannel {
    init(_ group: SettingsReader) {
        let name = group.text("name")
        number = group.optionalInteger("number")
        let kind: Channel.Kind = group.choice("kind")
        var channel = Channel(
            id: Channel.ID("settings:\(name)"), kind: kind, name: name, channelText: group.text("text"),
            bandwidthKbps: group.integer("bandwidthKbps"),
            transport: Transport(
                address: group.text("address"), port: UInt16(clamping: group.integer("port")),
                source: group.optionalText("source"),
                encapsulation: Self.encapsulation(group, of: kind)),
            playoutDelay: group.optionalInteger("playoutDelayMs").map { .milliseconds(Int64($0)) },
            program: group.optionalInteger("program").map { .number(UInt16(clamping: $0)) }
                ?? group.optionalText("program").map { .name($0) })
        channel.transport.read(group)
        channel.contentType = group.optionalText("contentType")
        self.channel = channel
    }

    /// Messages are always in RTP, whose sequence numbers their order needs.
    private static func encapsulation(_ group: SettingsReader, of kind: Channel.Kind) -> Transport.Encapsulation {
        switch group.text("encapsulation") {
        case "raw": .raw
        case "auto" where kind != .data: .automatic
        default: .rtp(payloadType: UInt8(clamping: group.integer("payloadType")))
        }
    }
}

extension Settings.Playback {
    init(_ group: SettingsReader) {
        playoutDelay = group.milliseconds("playoutDelayMs")
        history = group.milliseconds("historyMs")
        historyLimitOctets = group.integer("historyLimitMB") * 1_000_000
        historiesLimitOctets = group.optionalInteger("historiesLimitMB").map { $0 * 1_000_000 }
        autoTune = group.optionalText("autoTune")
        startPolicy = group.choice("startPolicy")
        fallback = group.choice("fallback")
        defaultChannel = group.optionalText("defaultChannel")
        fallbackPlaylist = group.optionalText("fallbackPlaylist")
        autoAdvance = group.boolean("autoAdvance")
        autoPlay = group.boolean("autoPlay")
        damage = group.choice("damage")
        decoding = group.choice("decoding")
        sessionLimit = group.integer("sessionLimit")
        audioLanguage = group.optionalText("audioLanguage")
        sourcePolicy = group.choice("sourcePolicy")
        sourceOrder = group.texts("sourceOrder").compactMap(Source.Delivery.init)
        let limit = group.integer("bandwidthLimitKbps")
        bandwidthLimitKbps = limit == 0 ? nil : limit
    }
}

extension Playlist {
    init(_ group: SettingsReader) {
        self.init(
            group.text("name"), group.groups("items").map { Video($0) }, properties: group.values("properties"))
    }
}

extension Video {
    init(_ group: SettingsReader) {
        let named =
            group.optionalText("channel").map { Source(.multicast, $0) }
            ?? group.optionalText("file").map { Source(.file, $0) }
        let sources = named.map { [$0] } ?? group.groups("sources").map { Source($0) }
        self.init(
            group.optionalText("title") ?? sources.first?.location ?? "", sources: sources,
            cuePoints: CuePointCollection(
                group.groups("cuePoints").map {
                    CuePoint(at: $0.milliseconds("timeMs"), kind: $0.text("kind"), properties: $0.values("properties"))
                }), properties: group.values("properties"), namesSource: named != nil)
    }
}

extension Source {
    init(_ group: SettingsReader) {
        self.init(
            group.choice("delivery"), group.optionalText("file") ?? group.text("location"),
            properties: group.values("properties"))
    }
}

extension Settings.Output {
    init(_ group: SettingsReader) {
        kind = group.choice("kind")
        screen = PixelSize(width: group.integer("width"), height: group.integer("height"))
        mounting = ScreenMounting(
            rotation: QuarterTurn(rawValue: group.integer("rotation")) ?? .upright,
            overscanPercent: group.integer("overscanPercent"))
        mode = group.optionalText("mode").flatMap { ModePin($0) }
        connector = group.optionalText("connector")
        drawing = group.choice("drawing")
        usesPlanes = group.text("planes") == "auto"
        isMirrored = group.boolean("mirror")
        standby = group.choice("standby")
        layout = group.text("layout")
        strategies = group.texts("strategies")
        transition = group.milliseconds("transitionMs")
    }
}

extension Settings.Sound {
    init(_ group: SettingsReader) {
        output =
            switch group.text("kind") {
            case "wav": .wav(path: group.text("wavPath"))
            case "alsa": .alsa(device: group.text("device"))
            default: .null
            }
        unmutes = group.boolean("unmute")
        volume = group.integer("volume")
        isMuted = group.boolean("muted")
    }
}

extension Settings.Log {
    init(_ group: SettingsReader) {
        level = group.choice("level")
        subsystems = group.map("subsystems").compactMapValues { LogLevel(rawValue: $0) }
    }
}

extension SettingsReader {
    public func milliseconds(_ name: String) -> Nanoseconds { .milliseconds(Int64(integer(name))) }
}
