// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    static func ofPlayback(_ venue: SettingsVenue) -> [SettingTrial] {
        [
            // The history ends a play-out delay before what arrives.
            SettingTrial("playback.playoutDelayMs", 3_000, by: "position: less is behind live") { box in
                let seconds = try uptime(box)
                return try seconds >= 3 && seconds * 1_000 - position(box, "availableMs") >= 2_500
            },
            SettingTrial("playback.historyMs", 1_000, by: "position: less is behind live") { box in
                try uptime(box) >= 3 && position(box, "availableMs") < 2_000
            },
            // 4 MB, the least that is given, are two seconds of it.
            SettingTrial("playback.historyLimitMB", 1, playing: "Wide", by: "position: less is behind live") { box in
                try uptime(box) >= 4 && position(box, "availableMs") < 3_500
            },
            SettingTrial("playback.historiesLimitMB", 8, by: "session.historyCut of the next channel") { box in
                let events = try box.answer("events")["events"]?.array ?? []
                return events.contains { $0["type"] == "session.historyCut" && $0.at("/payload/grantedMB") == 8 }
            }.acting { _ = try $0.answer("tune", "Two") },
            SettingTrial("playback.startPolicy", "stretch", by: "position: advances before the delay is over") { box in
                try position(box, "progressMs") > 1_000 && uptime(box) < 6
            }.arranging(merge(["playback": ["playoutDelayMs": 6_000]]))
                .tidying(merge(["playback": ["playoutDelayMs": 100]])),
            SettingTrial("playback.damage", "hold", playing: "Lossy", by: "stats: pictures held") { box in
                try box.answer("stats").at("/stats/playback/picturesHeld")?.integer ?? 0 > 0
            },
            // Where no device decodes, nothing is shown then.
            SettingTrial("playback.decoding", "hardware", takesChannel: true, by: "session.decoder") { box in
                let last = try box.answer("events")["events"]?.array?.last { $0["type"] == "session.decoder" }
                return last.map { $0.at("/payload/decoder") != "software" } ?? false
            },
            SettingTrial("playback.sessionLimit", 1, by: "gallery: one session too many") { box in
                try box.answer("gallery", "One,Two")["errorString"]?.string?.contains("playback.sessionLimit (1)")
                    ?? false
            }.tidying(alone),
            SettingTrial("playback.bandwidthLimitKbps", 5_000, by: "gallery: too many kbit/s") { box in
                try box.answer("gallery", "One,Silent")["errorString"]?.string?
                    .contains("playback.bandwidthLimitKbps (5000)") ?? false
            }.tidying(alone),
            SettingTrial("playback.audioLanguage", "deu", playing: "Tongues", by: "streams: what is heard") { box in
                let streams = try box.answer("streams")["streams"]?.array ?? []
                return streams.contains { $0["language"] == "deu" && $0["isPlayed"] == true }
            },
        ]
    }

    /// What is played when a channel is withdrawn, and of playlists.
    static func ofFallback(_ venue: SettingsVenue) -> [SettingTrial] {
        let withdrawn: Step = { _ in try venue.withdrawTwo() }
        let announced: Step = { _ in venue.announceTwo() }
        let lists: JSONValue = [
            ["name": "Evening", "items": [["channel": "One"]]], ["name": "Noon", "items": [["channel": "Three"]]],
            ["name": "Morning", "items": [["channel": "Two"]]],
            ["name": "Film", "items": [["file": .string(SettingsVenue.film)], ["channel": "Two"]]],
        ]
        let sources: JSONValue = [
            ["delivery": "MULTICAST", "location": "Wide"], ["delivery": "MP4", "file": .string(SettingsVenue.film)],
        ]
        let twofold: JSONValue = [["name": "Twofold", "items": [["sources": sources]]]]
        let isMulticast: Look = { try $0.answer("position")["delivery"] == "MULTICAST" }
        let toPlaylist: JSONValue = ["fallback": "playlist", "fallbackPlaylist": "Evening"]
        return [
            SettingTrial(
                "playback.fallback", "defaultChannel", playing: "Two", by: "status: what follows", isSeen: plays("One")
            ).given(["playback": ["defaultChannel": "One"]]).acting(withdrawn).tidying(announced),
            SettingTrial(
                "playback.defaultChannel", "One", playing: "Two", by: "status: what follows", isSeen: plays("One")
            ).given(["playback": ["fallback": "defaultChannel", "defaultChannel": "Three"]])
                .acting(withdrawn).tidying(announced),
            SettingTrial(
                "playback.fallbackPlaylist", "Noon", playing: "Two", by: "status: what follows", isSeen: plays("Three")
            ).given(["playback": toPlaylist, "playlists": lists]).acting(withdrawn).tidying(announced),
            SettingTrial("playback.autoPlay", true, by: "status: a playlist plays") { box in
                let status = try box.answer("status")
                return status["channel"] == "Two" && status["isPlaying"] == true
            }.given(["playlists": lists]).acting { _ = try $0.answer("playlist", "Morning") },
            SettingTrial(
                "playback.autoAdvance", true, by: "status: a channel follows a film", isSeen: plays("Two")
            ).given(["playback": ["autoPlay": true], "playlists": lists])
                .acting { _ = try $0.answer("playlist", "Film") },
            SettingTrial("playback.sourcePolicy", "first", by: "position: delivery", isSeen: isMulticast)
                .given(["playlists": twofold]).acting { _ = try $0.answer("playlist", "Twofold") },
            SettingTrial("playback.sourceOrder", ["MULTICAST", "HLS"], by: "position: delivery", isSeen: isMulticast)
                .given(["playlists": twofold, "playback": ["sourcePolicy": "ordered"]])
                .acting { _ = try $0.answer("playlist", "Twofold") },
            SettingTrial("playlists", [["name": "Morning", "items": [["channel": "One"]]]], by: "playlists, channels") {
                let lists = try $0.answer("playlists")["playlists"]?.array ?? []
                return try lists.contains { $0["name"] == "Morning" } && names($0).contains("Morning")
            },
        ]
    }
}
