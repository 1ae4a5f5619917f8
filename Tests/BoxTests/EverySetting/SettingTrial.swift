// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import System
import Time

/// How a setting is tried on a playing box, where its description does not say it.
struct SettingTrial {
    let path: String
    /// nil for one that the description gives.
    var value: JSONValue?
    /// The value if only the box knows it.
    var makeValue: (RunningBox) throws -> JSONValue? = { _ in nil }
    /// The channel that plays meanwhile.
    var channel = "One"
    /// Whether the change takes the channel away until the setting has its old value again.
    var takesChannel = false
    /// By what the effect was seen, for the table.
    var seenBy = "shown and explained"
    /// nil if the effect is seen in no other way than that the setting is shown.
    var isSeen: ((RunningBox) throws -> Bool)?

    init(
        _ path: String, _ value: JSONValue? = nil, playing channel: String = "One", takesChannel: Bool = false,
        by seenBy: String = "shown and explained", isSeen: ((RunningBox) throws -> Bool)? = nil
    ) {
        self.path = path
        self.value = value
        self.channel = channel
        self.takesChannel = takesChannel
        self.seenBy = seenBy
        self.isSeen = isSeen
    }

    /// The settings whose value or effect needs to be known. All others get a value from their description, and of them
    /// it is seen that they are shown, explained and kept, and that they interrupt what they promise to interrupt:
    /// - thresholds and waits of `health`, `network`, `announcements` and `reception.monitor.alarms`, because they act
    ///   upon outages and losses. HealthTests, JoiningTests, HeadEndTests and MonitorTests make those;
    /// - the looks of `screenText` and `identify`. ScreenTextTests and IdentifyTests read them off the screen;
    /// - how pictures are buffered and decoded, which changes nothing of an undamaged channel;
    /// - `output.drawing`, `planes`, `mirror`, `mode` and `connector`, which are of a screen (`board/guest`);
    /// - `sound.device` and `unmute`, which are of a sound card (`board/run --check`), and levels of the log.
    static func all(_ venue: SettingsVenue) -> [SettingTrial] {
        ofBox + ofChannels(venue) + ofPlayback + ofMonitor + ofStage + ofSound(venue) + ofRestart
    }

    private static var ofBox: [SettingTrial] {
        [
            SettingTrial("box.name", "Ceiling 8", by: "status") { try $0.answer("status")["boxName"] == "Ceiling 8" },
            SettingTrial("box.tags", ["bar"], by: "channels: the view of the tag") { try isHidden("One", $0) },
            SettingTrial("log.level", "warning"),
            SettingTrial("screenText.timeZone", "Asia/Tokyo", by: "status: local time") { box in
                try box.answer("status")["localTime"]?.string?.contains("+09:00") ?? false
            },
            SettingTrial("data.consumers", [["channel": "Scores", "kind": "ticker"]], by: "data: joined") { box in
                try box.answer("data")["channels"]?.array?.first?["isJoined"] == true
            },
            SettingTrial("data.allowedCommands", ["volume"]),
        ]
    }

    private static func ofChannels(_ venue: SettingsVenue) -> [SettingTrial] {
        let noTwo: (RunningBox) throws -> Bool = { try !names($0).contains("Two") }
        let moved = SettingsVenue.channels(port: SettingsVenue.secondPort)
        let other: JSONValue = [["address": "239.255.77.23", "port": .integer(Int64(SettingsVenue.announcementPort))]]
        let license = ["venueName", "contentOwner", "appDeveloper"].map { name in
            SettingTrial(
                "license.\(name)", "Elsewhere", playing: "Two", takesChannel: true, by: "channels: not licensed",
                isSeen: noTwo)
        }
        var deny = SettingTrial(
            "announcements.deny", playing: "Two", takesChannel: true, by: "channels: denied", isSeen: noTwo)
        deny.makeValue = { box in
            .array(try (box.answer("streamers")["streamers"]?.array ?? []).compactMap { $0["address"] })
        }
        let others: [SettingTrial] = [
            SettingTrial(
                "announcements.groups", other, playing: "Two", takesChannel: true, by: "channels: not heard",
                isSeen: noTwo),
            SettingTrial(
                "announcements.allow", ["198.51.100.1"], playing: "Two", takesChannel: true,
                by: "channels: not allowed",
                isSeen: noTwo),
            deny,
            SettingTrial("announcements.unlicensed", "refuse", by: "channels: not licensed") {
                try !names($0).contains("Three")
            },
            SettingTrial("channels", moved, by: "channels: its port") { box in
                let port = JSONValue.integer(Int64(SettingsVenue.secondPort))
                return try channels(box).contains { $0["name"] == "One" && $0["port"] == port }
            },
            SettingTrial("lineUp.channels", [["channel": "One", "name": "Uno"]], by: "channels: its name") {
                try names($0).contains("Uno")
            },
            SettingTrial("lineUp.order", ["Two"], by: "channels: the first") { try names($0).first == "Two" },
            SettingTrial("lineUp.views", [["tag": "foyer", "channels": ["Two"]]], by: "channels: the view of the tag") {
                try isHidden("One", $0)
            },
            SettingTrial("network.interface", "", takesChannel: true, by: "status: address") { box in
                try box.answer("status")["address"] != .null
            },
        ]
        return license + others
    }

    private static var ofPlayback: [SettingTrial] {
        [
            SettingTrial("playback.playoutDelayMs", 400), SettingTrial("playback.historyLimitMB", 32),
            SettingTrial("playback.decoding", "software", by: "stats: the processor decodes") { box in
                try box.answer("stats").at("/stats/playback/decoderTier") == 1
            },
            SettingTrial("playback.fallbackPlaylist", "Evening"),
            SettingTrial("playback.autoTune", "Two"),
            SettingTrial("playback.audioLanguage", "deu"),
            SettingTrial("playback.sessionLimit", 1, by: "gallery: one session too many") { box in
                try box.answer("gallery", "One,Two")["errorString"]?.string?.contains("playback.sessionLimit (1)")
                    ?? false
            },
            SettingTrial("playlists", [["name": "Morning", "items": [["channel": "One"]]]], by: "playlists, channels") {
                let lists = try $0.answer("playlists")["playlists"]?.array ?? []
                return try lists.contains { $0["name"] == "Morning" } && names($0).contains("Morning")
            },
        ]
    }

    /// With limits of 10 ms, the stream has faults in each of its 40 ms.
    private static var ofMonitor: [SettingTrial] {
        let limits = [
            ("patMs", "pat"), ("pmtMs", "pmt"), ("pcrRepetitionMs", "pcrRepetition"), ("pcrIntervalMs", "pcrInterval"),
            ("pcrDiscontinuityMs", "pcrDiscontinuity"), ("ptsMs", "pts"),
        ]
        let trials = limits.map { name, indicator in
            SettingTrial("reception.monitor.\(name)", 10, by: "stats: faults of \(indicator)") { box in
                let total = try box.answer("stats").at("/stats/quality/indicators/\(indicator)/total")?.integer
                return (total ?? 0) > 4
            }
        }
        let windows = [("shortWindowSeconds", 5), ("longWindowSeconds", 30)].map { name, seconds in
            SettingTrial("reception.monitor.\(name)", .integer(Int64(seconds)), by: "stats: the window") { box in
                try box.answer("stats").at("/stats/quality/\(name)") == .integer(Int64(seconds))
            }
        }
        return trials + windows
    }

    private static var ofStage: [SettingTrial] {
        [
            SettingTrial("layouts", [["name": "wall", "regions": [["name": "main"]]]], by: "layouts") { box in
                try box.answer("layouts")["layouts"]?.array?.contains { $0["name"] == "wall" } ?? false
            },
            SettingTrial(
                "strategies",
                [["name": "sponsors", "layer": "advertisement"], ["name": "alarm", "layer": "emergency"]],
                by: "strategies"
            ) { try $0.answer("strategies")["strategies"]?.array?.contains { $0["name"] == "alarm" } ?? false },
            SettingTrial("output.layout", "pip", by: "status: layout") { try $0.answer("status")["layout"] == "pip" },
            SettingTrial("output.transitionMs", 40, by: "stage.layout: the cross-fade") { box in
                _ = try box.answer("layout", "full", "--transition", "fade")
                let shown = try box.answer("events")["events"]?.array?.last { $0["type"] == "stage.layout" }
                return shown?.at("/payload/transitionMs") == 40
            },
            SettingTrial("output.strategies", ["sponsors"], by: "strategies: on") { box in
                try box.answer("strategies")["strategies"]?.array?.contains { $0["isOn"] == true } ?? false
            },
            SettingTrial("output.kind", "null", by: "status: output") {
                try $0.answer("status")["output"]?.string?.hasPrefix("null") ?? false
            },
            SettingTrial("output.width", 256, by: "screenshot") { try $0.answer("screenshot")["width"] == 256 },
            SettingTrial("output.height", 144, by: "screenshot") { try $0.answer("screenshot")["height"] == 144 },
            SettingTrial("output.mode", "1280x720"), SettingTrial("output.connector", "HDMI-A-1"),
        ]
    }

    private static func ofSound(_ venue: SettingsVenue) -> [SettingTrial] {
        let other = venue.wave + "-other.wav"
        return [
            SettingTrial("sound.kind", "null", by: "the file no longer grows") { _ in
                let before = try octets(of: venue.wave)
                SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(300))
                return try octets(of: venue.wave) == before
            },
            SettingTrial("sound.wavPath", .string(other), by: "the other file grows") { _ in
                try octets(of: other) > 20_000
            },
            SettingTrial("sound.volume", 40, by: "status") { try $0.answer("status")["volume"] == 40 },
            SettingTrial("sound.muted", true, by: "status") { try $0.answer("status")["isMuted"] == true },
        ]
    }

    private static var ofRestart: [SettingTrial] {
        [
            SettingTrial("control.socket", "/run/other.sock"),
            SettingTrial("http.port", .integer(Int64(SettingsVenue.webPort)), by: "status: port") {
                try $0.answer("status")["httpPort"] == .integer(Int64(SettingsVenue.webPort))
            },
            SettingTrial("http.role", "viewer", by: "HTTP: a command is refused") {
                try $0.http("POST", "/v1/stop").code == 403
            },
            SettingTrial("http.isEnabled", false, by: "status: no port") {
                try $0.answer("status")["httpPort"] == .null
            },
        ]
    }

    // MARK: Looks

    private static func channels(_ box: RunningBox) throws -> [JSONValue] {
        try box.answer("channels")["channels"]?.array ?? []
    }

    private static func names(_ box: RunningBox) throws -> [String] {
        try channels(box).compactMap { $0["name"]?.string }
    }

    private static func isHidden(_ name: String, _ box: RunningBox) throws -> Bool {
        let all = try box.answer("channels", "--hidden")["channels"]?.array ?? []
        return try !names(box).contains(name) && all.contains { $0["name"] == .string(name) }
    }

    private static func octets(of path: String) throws -> Int {
        try DurableFile.read(path, limit: 256 << 20)?.count ?? 0
    }
}
