// SPDX-License-Identifier: Apache-2.0
import JSON
import Network

extension SettingTrial {
    static func ofBox(_ venue: SettingsVenue) -> [SettingTrial] {
        // Each session says by which decoder; its level is notice.
        let tuned: Step = { _ = try $0.answer("tune", "Two") }
        let isLogged: Look = { _ in venue.log.contains("<5>playback: decoder") }
        return [
            SettingTrial("box.name", "Ceiling 8", by: "status") { try $0.answer("status")["boxName"] == "Ceiling 8" },
            SettingTrial("box.tags", ["bar"], by: "channels: the view of the tag") { try isHidden("One", $0) },
            SettingTrial("log.level", "notice", by: "the log: its lines", isSeen: isLogged)
                .arranging { _ in venue.log.clear() }.acting(tuned),
            SettingTrial("log.subsystems", ["playback": "notice"], by: "the log: its lines", isSeen: isLogged)
                .arranging { _ in venue.log.clear() }.acting(tuned),
        ]
    }

    static func ofData(_ venue: SettingsVenue) -> [SettingTrial] {
        [
            SettingTrial(
                "data.consumers", [["channel": "Scores", "kind": "ticker"]], by: "data: joined",
                isSeen: isJoined),
            SettingTrial("data.allowedCommands", ["volume"], by: "status: a cue sets the volume") { box in
                try cue(33, to: venue.dataPort)
                return try box.answer("status")["volume"] == 33
            }.given(["data": ["consumers": [["channel": "Scores", "kind": "cues"]]]])
                .arranging(until(isJoined))
                .tidying { _ = try $0.answer("volume", "100") },
        ]
    }

    private static var isJoined: Look { { try $0.answer("data").at("/channels/0/isJoined") == true } }

    /// A message of the data channel that asks for a volume.
    private static func cue(_ volume: Int, to port: UInt16) throws {
        let socket = try DatagramSocket(sendingTo: SettingsVenue.data, port: port, interface: "lo")
        var sender = DataSender(source: UInt32.random(in: 1...UInt32.max))
        let cue = #"{"command":"volume","arguments":{"volume":\#(volume)}}"#
        for packet in try sender.packets(of: Array(cue.utf8)) { try packet.withUnsafeBytes { try socket.send($0) } }
    }

    static var ofRestart: [SettingTrial] {
        var socket = SettingTrial("control.socket", by: "status by the new socket") { box in
            try box.socket == box.directory + "/other.sock" && box.answer("status")["boxId"] != nil
        }
        socket.makeValue = { .string($0.directory + "/other.sock") }
        return [
            socket,
            SettingTrial("playback.autoTune", "Two", by: "status: what plays after a restart", isSeen: plays("Two"))
                .atStart(),
            SettingTrial("http.role", "viewer", by: "HTTP: a command is refused") {
                try $0.http("POST", "/v1/stop").code == 401
            },
        ]
    }
}
