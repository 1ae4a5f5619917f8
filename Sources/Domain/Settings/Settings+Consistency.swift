// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

extension Settings {
    /// Finds problems that no single field shows. The document's fields have been checked before.
    static func checkConsistency(_ document: SettingsReader, into problems: inout [Problem]) {
        for (index, group) in document.group("announcements").groups("groups").enumerated()
        where NumericAddress(group.text("address"))?.isMulticast != true {
            problems.append(
                Problem(
                    path: "/announcements/groups/\(index)/address", value: .string(group.text("address")),
                    expectation: "a multicast group"))
        }
        checkChannels(document, into: &problems)
        checkLineUp(document.group("lineUp"), into: &problems)
        let playback = document.group("playback")
        if playback.integer("historyMs") < playback.integer("playoutDelayMs") {
            problems.append(
                Problem(
                    path: "/playback/historyMs", value: .integer(Int64(playback.integer("historyMs"))),
                    expectation: "at least playback.playoutDelayMs (\(playback.integer("playoutDelayMs")))"))
        }
        checkPlaylists(document, into: &problems)
        checkLayouts(document, into: &problems)
        checkStrategies(document, into: &problems)
        checkData(document.group("data"), into: &problems)
        checkHealth(document.group("health"), into: &problems)
        checkTheme(document.group("screenText").group("theme"), into: &problems)
        let sound = document.group("sound")
        if sound.text("kind") == "wav", sound.text("wavPath").isEmpty {
            problems.append(
                Problem(path: "/sound/wavPath", value: "", expectation: "a path, because sound.kind is wav"))
        }
    }

    private static func checkPlaylists(_ document: SettingsReader, into problems: inout [Problem]) {
        var names: Set<String> = []
        for (index, playlist) in document.groups("playlists").enumerated() {
            let (name, path) = (playlist.text("name"), "/playlists/\(index)")
            if !names.insert(name).inserted {
                problems.append(
                    Problem(
                        path: "\(path)/name", value: .string(name), expectation: "a name that no other playlist has"))
            }
            for (index, item) in playlist.groups("items").enumerated()
            where (item.optionalText("channel") == nil) == (item.optionalText("file") == nil) {
                problems.append(
                    Problem(path: "\(path)/items/\(index)", expectation: "either a channel or a file"))
            }
        }
        let playback = document.group("playback")
        let fallback: Playback.Fallback = playback.choice("fallback")
        if fallback == .defaultChannel, playback.text("defaultChannel").isEmpty {
            problems.append(
                Problem(
                    path: "/playback/defaultChannel", value: "",
                    expectation: "a channel, because playback.fallback is defaultChannel"))
        }
        let name = playback.text("fallbackPlaylist")
        if fallback == .playlist || !name.isEmpty, !names.contains(name) {
            let known = names.isEmpty ? "none is there" : names.sorted().joined(separator: ", ")
            problems.append(
                Problem(
                    path: "/playback/fallbackPlaylist", value: .string(name),
                    expectation: "the name of one of playlists (\(known))"))
        }
    }

    private static func checkChannels(_ document: SettingsReader, into problems: inout [Problem]) {
        var names: Set<String> = []
        var numbers: Set<Int> = []
        let historyMs = document.group("playback").integer("historyMs")
        for (index, channel) in document.groups("channels").enumerated() {
            func refuse(_ field: String, _ value: JSONValue, _ expectation: String) {
                let path = "/channels/\(index)/\(field)"
                problems.append(Problem(path: path, value: value, expectation: expectation))
            }
            let name = channel.text("name")
            if !names.insert(name).inserted { refuse("name", .string(name), "a name that no other channel has") }
            if let number = channel.optionalInteger("number"), !numbers.insert(number).inserted {
                refuse("number", .integer(Int64(number)), "a number that no other channel has")
            }
            if let delay = channel.optionalInteger("playoutDelayMs"), delay > historyMs {
                refuse("playoutDelayMs", .integer(Int64(delay)), "at most playback.historyMs (\(historyMs))")
            }
            checkBeside(channel, refuse: refuse)
            guard let text = channel.optionalText("source"), let source = NumericAddress(text),
                let group = NumericAddress(channel.text("address"))
            else { continue }
            if source.isMulticast || source.isIPv6 != group.isIPv6 {
                refuse("source", .string(text), "a unicast address of the same IP version as the group")
            }
        }
    }
}
