// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
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
        let rotation = document.group("output").integer("rotation")
        if QuarterTurn(rawValue: rotation) == nil {
            problems.append(
                Problem(
                    path: "/output/rotation", value: .integer(Int64(rotation)), expectation: "0, 90, 180 or 270"))
        }
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
            for (index, item) in playlist.groups("items").enumerated() {
                checkItem(item, at: "\(path)/items/\(index)", into: &problems)
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

    private static func checkItem(_ item: SettingsReader, at path: String, into problems: inout [Problem]) {
        let sources = item.groups("sources")
        let ways = [item.optionalText("channel") != nil, item.optionalText("file") != nil, !sources.isEmpty]
        if ways.count(where: { $0 }) != 1 {
            problems.append(Problem(path: path, expectation: "either a channel, a file or sources"))
        }
        for (index, source) in sources.enumerated() {
            let path = "\(path)/sources/\(index)"
            let (location, delivery) = (source.text("location"), source.text("delivery"))
            let isFile = source.optionalText("file") != nil
            let mayBeFile = ["FILE", "MP4"].contains(delivery)
            if isFile == !location.isEmpty || isFile && !mayBeFile || !isFile && delivery == "FILE" {
                let expectation =
                    switch delivery {
                    case "FILE": "a file and no location, because delivery is FILE"
                    case "MP4": "either a file or a location, because delivery is MP4"
                    default: "a location and no file, because delivery is \(delivery)"
                    }
                problems.append(Problem(path: path, expectation: expectation))
            }
            // Only the box itself may name files.
            if delivery != "MULTICAST", location.hasPrefix("/") {
                problems.append(
                    Problem(
                        path: "\(path)/location", value: .string(location), expectation: "a URL, or a file instead"))
            }
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
