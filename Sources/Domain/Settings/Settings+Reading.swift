// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

extension Settings {
    init(effective document: SettingsReader) {
        let license = document.group("license")
        let control = document.group("control")
        self.init(
            boxName: document.group("box").text("name"),
            license: FieldOfUse(
                venueName: license.text("venueName"), contentOwner: license.text("contentOwner"),
                appDeveloper: license.text("appDeveloper")),
            network: Network(document.group("network")),
            announcements: Announcements(document.group("announcements")),
            channels: document.groups("channels").map { ConfiguredChannel($0) },
            playback: Playback(document.group("playback")),
            output: Output(document.group("output")),
            sound: Sound(document.group("sound")),
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
        let payloadType = UInt8(clamping: group.integer("payloadType"))
        number = group.optionalInteger("number")
        channel = Channel(
            id: Channel.ID("settings:\(name)"), kind: group.choice("kind"), name: name, channelText: group.text("text"),
            bandwidthKbps: group.integer("bandwidthKbps"),
            transport: Transport(
                address: group.text("address"), port: UInt16(clamping: group.integer("port")),
                source: group.optionalText("source"),
                encapsulation: group.text("encapsulation") == "raw" ? .raw : .rtp(payloadType: payloadType)),
            playoutDelay: group.optionalInteger("playoutDelayMs").map { .milliseconds(Int64($0)) })
    }
}

extension Settings.Playback {
    init(_ group: SettingsReader) {
        playoutDelay = group.milliseconds("playoutDelayMs")
        history = group.milliseconds("historyMs")
        historyLimitOctets = group.integer("historyLimitMB") * 1_000_000
        autoTune = group.optionalText("autoTune")
    }
}

extension Settings.Output {
    init(_ group: SettingsReader) {
        kind = group.choice("kind")
        width = group.integer("width")
        height = group.integer("height")
    }
}

extension Settings.Sound {
    init(_ group: SettingsReader) {
        self = group.text("kind") == "wav" ? .wav(path: group.text("wavPath")) : .null
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
