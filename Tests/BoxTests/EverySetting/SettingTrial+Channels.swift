// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    private static var noTwo: Look { { try !names($0).contains("Two") } }
    private static var noFour: Look { { try !names($0).contains("Four") } }

    static var ofLicense: [SettingTrial] {
        ["venueName", "contentOwner", "appDeveloper"].map { name in
            SettingTrial(
                "license.\(name)", "Elsewhere", playing: "Two", takesChannel: true, by: "channels: not licensed",
                isSeen: noTwo)
        }
    }

    static func ofAnnouncements(_ venue: SettingsVenue) -> [SettingTrial] {
        let other: JSONValue = [["address": "239.255.77.23", "port": .integer(Int64(venue.announcementPort))]]
        var deny = SettingTrial(
            "announcements.deny", playing: "Two", takesChannel: true, by: "channels: denied", isSeen: noTwo)
        deny.makeValue = { box in
            .array(try (box.answer("streamers")["streamers"]?.array ?? []).compactMap { $0["address"] })
        }
        // Announced once, by a sender that promises to say it twice a second.
        let announcedOnce: Step = { box in
            try venue.announceFourOnce()
            try until({ try !noFour($0) }, box)
        }
        let others: [SettingTrial] = [
            SettingTrial(
                "announcements.groups", other, playing: "One", by: "channels: not heard",
                isSeen: noTwo),
            SettingTrial(
                "announcements.allow", ["198.51.100.1"], playing: "Two", takesChannel: true,
                by: "channels: not allowed", isSeen: noTwo),
            deny,
            SettingTrial("announcements.unlicensed", "refuse", by: "channels: not licensed") {
                try !names($0).contains("Three")
            },
            SettingTrial("announcements.missedIntervals", 1, by: "channels: pruned", isSeen: noFour)
                .given(["announcements": ["missedIntervals": 100]]).arranging(announcedOnce),
            SettingTrial("announcements.pruneMinimumMs", 1_001, by: "channels: pruned", isSeen: noFour)
                .given(["announcements": ["pruneMinimumMs": 3_600_000]]).arranging(announcedOnce),
        ]
        return others
    }

    static func ofLineUp(_ venue: SettingsVenue) -> [SettingTrial] {
        let moved = venue.channels(port: venue.secondPort)
        return [
            SettingTrial("channels", moved, by: "channels: its port") { box in
                let port = JSONValue.integer(Int64(venue.secondPort))
                return try channels(box).contains { $0["name"] == "One" && $0["port"] == port }
            },
            SettingTrial("lineUp.channels", [["channel": "One", "name": "Uno"]], by: "channels: its name") {
                try names($0).contains("Uno")
            },
            SettingTrial("lineUp.order", ["Silent"], by: "channels: the first") { try names($0).first == "Silent" },
            SettingTrial("lineUp.views", [["tag": "foyer", "channels": ["Two"]]], by: "channels: the view of the tag") {
                try isHidden("One", $0)
            },
        ]
    }

    // MARK: Network

    /// `Silent` is sent by nobody; `Twins` has two sources, of which the first is silent.
    static var ofNetwork: [SettingTrial] {
        [
            SettingTrial("network.interface", "", takesChannel: true, by: "status: address") { box in
                try box.answer("status")["address"] != "127.0.0.1"
            },
            SettingTrial("network.wifiApInfo", by: "shown; WiFiTests: its name in a report"),
            SettingTrial("network.rejoinAfterMs", 500, by: "stats: silent group rejoined") {
                try beside($0, "reception/rejoins") > 0
            }.given(["network": ["rejoinAfterMs": 60_000, "rejoinLimitMs": 600_000]])
                .arranging(beside("Silent")).tidying(alone),
            // Waits that double would be 15 s together before the fifth time.
            SettingTrial("network.rejoinLimitMs", 1_000, by: "stats: rejoined each second") {
                try beside($0, "reception/rejoins") > 4 && beside($0, "session/uptimeSeconds") < 12
            }.given(["network": ["rejoinAfterMs": 500, "rejoinLimitMs": 600_000]])
                .arranging(beside("Silent")).tidying(alone),
            SettingTrial("network.sourceFailoverMs", 100, by: "channels.sourceChanged") { box in
                try !events("channels.sourceChanged", of: "Twins", box).isEmpty
            }.given(["network": ["sourceFailoverMs": 60_000]])
                .arranging(beside("Twins")).tidying(alone),
            SettingTrial("network.debug.accessPoints", ["02:00:00:00:01:00"], by: "the log, in WiFiTests"),
            SettingTrial("network.debug.igmpTrace", true, by: "igmp-trace: seconds left") { try tracedFor($0) != nil },
            SettingTrial("network.debug.minutes", 90, by: "igmp-trace: seconds left") {
                try tracedFor($0) ?? 0 > 3_600
            }.given(["network": ["debug": ["igmpTrace": true]]]),
        ]
    }

    private static func tracedFor(_ box: RunningBox) throws -> Int64? {
        try box.http("GET", "/v1/igmp-trace").body["tracedForS"]?.integer
    }

    /// A counter of what plays beside `main`.
    private static func beside(_ box: RunningBox, _ name: String) throws -> Int64 {
        try box.answer("stats").at("/stats/regions/second/\(name)")?.integer ?? 0
    }

    static func events(_ type: String, of channel: String, _ box: RunningBox) throws -> [JSONValue] {
        try (box.answer("events")["events"]?.array ?? []).filter { $0["type"] == .string(type) }
            .compactMap { $0["payload"] }.filter { $0["channel"] == .string(channel) }
    }
}
