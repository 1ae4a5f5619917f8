// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import JSON
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

/// Whole boxes, in process: no peers, no pictures but the slate.
@Suite(.serialized) struct BoxTests {
    private static func settings(port: Int64) -> JSONValue {
        [
            "box": ["name": "Ceiling 7"], "network": ["interface": "lo"],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
            "announcements": ["groups": [["address": "239.255.77.1", "port": .integer(port)]]],
            "output": ["width": 320, "height": 180], "log": ["level": "error"],
        ]
    }

    @Test func startsAnswersAndEnds() throws {
        let box = try RunningBox(Self.settings(port: 21_001))
        let status = try box.await("status") { $0["boxName"]?.string == "Ceiling 7" }
        // SVM-94: nobody has listened for long enough to say that there is no channel.
        #expect(status["serviceState"]?.string == "up" && status["serviceReason"] == .null)
        #expect(status["channelCount"]?.integer == 0)
        #expect(status["boxId"]?.string?.utf8.count == 36)
        let png = box.client("screenshot")
        #expect(png.code == 0 && png.messages.isEmpty)
        // SVM-20: effective, with defaults.
        let config = try box.await("config") { $0["config"] != nil }
        #expect(config["config"]?["playback"]?["historyMs"]?.integer == 30_000)
        #expect(box.client("tune", "Nowhere").code == 1)
        #expect(box.client("log-level", "debug").code == 0)
        #expect(box.client("log-level", "loud").code == 2)
        #expect(box.end() == .ok)
    }

    /// Every command of playback answers, with nothing to play and with a playlist of nothing.
    @Test func playbackCommands() throws {
        var settings = Self.settings(port: 21_004)
        settings["playlists"] = [["name": "Evening", "items": [["channel": "Nowhere"], ["file": "/nowhere.mp4"]]]]
        settings["sound"] = ["volume": 40]
        let box = try RunningBox(settings)
        _ = try box.await("status") { $0["volume"]?.integer == 40 && $0["isVisible"]?.bool == true }
        // PLAY-06: no effect, no failure.
        for word in ["play", "pause"] { #expect(box.client(word).code == 0) }
        for word in ["live", "next", "position", "streams"] { #expect(box.client(word).code == 1) }
        #expect(
            box.client("seek-relative", "-20000").messages == ["nothing plays: expected a tuned channel or a playlist"])
        #expect(box.client("rewind", "--session", "7", "5").messages.first?.hasPrefix("session 7 is discarded") == true)
        #expect(box.client("volume", "101").code == 2)
        _ = try box.await("volume", "70") { $0["volume"]?.integer == 70 && $0["isMuted"]?.bool == false }
        _ = try box.await("mute", "on") { $0["isMuted"]?.bool == true }
        for word in ["visible", "background"] { #expect(box.client(word, "off").code == 0) }
        #expect(box.client("audio", "deu").code == 0)
        #expect(box.client("program", "2").code == 1)
        #expect(box.client("playlists", "--names").output == "Evening\n")
        #expect(box.client("playlist", "Morning").messages.first?.hasSuffix("expected one of Evening") == true)
        #expect(box.client("playlist", "Evening").code == 0)
        let events = try box.await("events") { RunningBox.types(of: $0).contains("session.terminate") }
        let playback = RunningBox.types(of: events).filter { $0.hasPrefix("video.") || $0.hasPrefix("session.") }
        #expect(
            playback == [
                "session.fail", "video.channelState", "video.bufferingActive", "session.fail",
                "video.bufferingInactive", "video.channelState", "session.terminate", "video.channelState",
            ])
        #expect(RunningBox.types(of: events).filter { $0 == "sound.volume" }.count == 2)
        #expect(box.end() == .ok)
    }

    /// SVM-01: one service per box; the second says so and ends with 75.
    @Test func aSecondServiceIsRefused() throws {
        let box = try RunningBox(Self.settings(port: 21_002))
        _ = try box.await("status") { $0["boxId"] != nil }
        let second = RunningBox.run(RunningBox.options(in: box.directory))
        #expect(second.code == .busy)
        #expect(try box.await("status") { $0["boxId"] != nil }["boxName"]?.string == "Ceiling 7")
        #expect(box.end() == .ok)
    }

    /// SVM-12: with settings that are refused the box starts all the same, with the last good ones, and says why.
    @Test func wrongSettingsAreToldAndTheLastGoodOnesHold() throws {
        let box = try RunningBox(["output": ["width": 7, "height": 64]]) { options in
            let image = #"{"http":{"port":0},"announcements":{"groups":[]},"log":{"level":"error"}}"#
            try? image.write(toFile: options.image, atomically: true, encoding: .utf8)  // else its absence is seen
        }
        let refused = try box.await("events") { answer in
            answer["events"]?.array?.contains { $0["type"] == "service.settingsRefused" } == true
        }
        let event = refused["events"]?.array?.first { $0["type"] == "service.settingsRefused" }
        let why = event?["payload"]?["why"]?.string ?? ""
        #expect(why.contains("width") && why.contains("64...7680"))
        #expect(try box.answer("config", "output.width")["config"] == 1_280)
        #expect(try box.answer("config", "set", "log.level", "warning")["revision"] == 1)
        #expect(box.end() == .ok)
    }

    /// SVM-12, SVM-18: a setting is changed in the running box, is kept, and holds again after a restart.
    @Test func aSettingIsChangedAndKept() throws {
        let box = try RunningBox(Self.settings(port: 21_004))
        _ = try box.await("status") { $0["boxId"] != nil }
        #expect(try box.answer("config", "set", "log.subsystems.stage", "debug")["revision"] == 2)
        #expect(box.client("config", "set", "log.level", "loud").messages.joined().contains("expected one of debug"))
        #expect(try box.answer("config", "set", "http.port", "0", "--check")["revision"] == 2)
        let explained = try box.answer("config", "explain", "log.subsystems.stage")
        #expect(explained["value"] == "debug" && explained["source"] == "revision")
        let names = try DurableFile.names(in: box.directory + "/state/settings")
        #expect(names.sorted() == ["1.json", "2.json", "imported.json"])
        #expect(box.end() == .ok)
    }

    /// SVM-29, 31: a channel enters on its first announcement, events tell it once, deletion takes it at once.
    @Test(.enabled(if: Groups.canBeJoined)) func channelsComeAndGo() throws {
        let box = try RunningBox(Self.settings(port: 21_003))
        _ = try box.await("status") { $0["boxId"] != nil }
        let socket = try DatagramSocket(sendingTo: "239.255.77.1", port: 21_003, interface: "lo")
        let origin = try #require(NumericAddress("127.0.0.1"))
        let announcement = Announcement(
            streamer: .init("head"), sessionNumber: 5, sessionTitle: "Match day",
            license: FieldOfUse(venueName: "Arena", contentOwner: "Club", appDeveloper: "Us"), name: "Pitch",
            transport: Transport(address: "239.1.2.3", port: 5_004, encapsulation: .raw))
        func send(_ kind: SAPPacket.Kind) throws {
            let packet = SAPPacket.encoded(
                kind, origin: origin, payloadType: .announcement, payload: announcement.encoded)
            try packet.withUnsafeBytes { try socket.send($0) }
        }
        for _ in 0..<3 { try send(.announcement) }
        let listed = try box.await("channels") { $0["channels"]?.array?.count == 1 }
        #expect(listed["channels"]?.array?.first?["sessionTitle"]?.string == "Match day")
        _ = try box.await("stats") { $0["stats"]?["announcementsReceived"]?.integer == 3 }
        try send(.deletion)
        _ = try box.await("channels") { $0["channels"]?.array?.isEmpty == true }
        // What announcements change is told within a moment, not at once.
        let events = try box.await("events") { RunningBox.types(of: $0).contains("channels.removed") }
        #expect(RunningBox.types(of: events).count { $0 == "channels.added" } == 1)
        #expect(RunningBox.types(of: events).count { $0 == "channels.removed" } == 1)
        #expect(box.end() == .ok)
    }

    /// Rule 4 of the design: what settings write and what playlists are is numbered, listed and tuned alike.
    @Test(.enabled(if: Groups.canBeJoined)) func theLineUpOfTheSettings() throws {
        var settings = Self.settings(port: 21_005)
        settings["channels"] = [
            ["name": "A", "number": 7, "address": "239.255.77.9", "port": 21_101],
            ["name": "B", "address": "239.255.77.9", "port": 21_102],
            ["name": "C", "address": "239.255.77.9", "port": 21_103],
        ]
        settings["playlists"] = [["name": "Evening", "items": [["channel": "C"]]]]
        settings["lineUp"] = [
            "channels": [
                ["channel": "A", "name": "Pitch", "favourite": true, "groups": ["sport"]],
                ["channel": "B", "hidden": true], ["channel": "C", "number": 8],
                ["channel": "playlist:Evening", "number": 9, "groups": ["sport"]],
            ]
        ]
        let box = try RunningBox(settings)
        let listed = try box.await("channels") { $0["channels"]?.array?.count == 3 }
        let first = try #require(listed["channels"]?.array?.first)
        #expect(first["number"] == 7 && first["name"] == "Pitch" && first["origin"] == "settings")
        #expect(first["isFavourite"] == true && first["isHidden"] == false && first["groups"] == ["sport"])
        #expect(first["source"] == .null && first["address"] == "239.255.77.9")
        #expect(box.client("channels", "--names", "--hidden").output == "Pitch\nC\nEvening\nB\n")
        #expect(box.client("channels", "--names", "--favourites").output == "Pitch\n")
        #expect(box.client("channels", "--names", "--group", "sport").output == "Pitch\nEvening\n")
        #expect(box.client("channels", "--names", "--group", "news").output == "")

        // By number, name, own name and id; up over the end, hidden ones passed by; a playlist among them.
        for text in ["7", "Pitch", "A", "settings:A"] {
            #expect(try box.await("tune", text) { $0["number"] == 7 }["channel"] == "Pitch")
        }
        var visited: [JSONValue?] = []
        for command in ["channel-up", "channel-up", "channel-up", "channel-down"] {
            let answer = box.client(command, "--json")
            #expect(answer.code == 0, "\(answer.messages)")
            visited.append(try JSONValue.parse(answer.output)["channel"])
        }
        #expect(visited == ["C", "Evening", "Pitch", "Evening"])
        #expect(try box.await("status") { $0["isPlaying"] != nil }["channel"] == "C")
        #expect(
            box.client("tune", "Nowhere").messages == [
                "channel 'Nowhere' is not in the line-up: expected one of Pitch, C, Evening"
            ])
        let events = try box.await("events") { RunningBox.types(of: $0).contains("channels.video") }
        let told = try #require(events["events"]?.array?.last { $0["type"] == "channels.video" }?["payload"])
        #expect(told["added"]?.array?.count == 4 && told["changed"] == [] && told["removed"] == [])
        #expect(told["channels"]?.array?.compactMap { $0["number"]?.integer } == [7, 8, 9, 900])
        #expect(RunningBox.types(of: events).filter { $0 == "channels.added" }.count == 4)
        #expect(box.end() == .ok)
    }
}
