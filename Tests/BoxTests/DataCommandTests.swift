// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import ControlClient
import ControlMessages
import JSON
import Network
import TestSupport
import Testing
import Time

@testable import Box
@testable import DataChannels

/// Data channels of a whole box: followed, listed and consumed (SVM-43…48).
@Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct DataCommandTests {
    private static let group = "239.255.77.41"

    private static func settings(_ port: Int64) -> JSONValue {
        func channel(_ name: String, _ offset: Int64) -> JSONValue {
            [
                "name": .string(name), "kind": "data", "address": .string(group), "port": .integer(port + offset),
                "payloadType": .integer(Int64(DataSender.payloadType)),
            ]
        }
        return [
            "network": ["interface": "lo"], "announcements": ["groups": []], "log": ["level": "error"],
            "output": ["width": 320, "height": 180],
            "channels": [channel("Scores", 0), channel("Cues", 2)],
            "data": [
                "consumers": [
                    ["channel": "Scores", "kind": "ticker"], ["channel": "Cues", "kind": "cues"],
                ],
                "allowedCommands": ["volume", "shutdown"],
            ],
        ]
    }

    private static func send(_ packets: [[UInt8]], port: UInt16) throws {
        let socket = try DatagramSocket(sendingTo: group, port: port, interface: "lo")
        for packet in packets { try packet.withUnsafeBytes { try socket.send($0) } }
    }

    private static func follower(_ channel: String, _ box: RunningBox) throws -> ControlClient {
        let client = try ControlClient(connectingTo: box.socket)
        try client.wait(atMost: .seconds(10))
        let arguments: JSONValue = ["action": "follow", "channel": .string(channel)]
        try client.send(ControlRequest(id: 1, command: "data", arguments: arguments))
        return client
    }

    @Test func messagesGoToWhoFollowsThem() throws {
        let box = try RunningBox(Self.settings(21_261))
        _ = try box.await("data") { $0.at("/channels/1/isJoined") == true }
        var byName = try Self.follower("Scores", box)
        var byChannel = try Self.follower("settings:Scores", box)
        #expect(try byName.next() == .answer(.ok, result: ["channel": "Scores"]))
        #expect(try byChannel.next() == .answer(.ok, result: ["channel": "settings:Scores"]))
        var sender = DataSender(source: 7)
        let long = [UInt8](repeating: 0xFE, count: 65_536)
        try Self.send(try sender.packets(of: Array("2:1".utf8), type: "text/plain"), port: 21_261)
        try Self.send(try sender.packets(of: long), port: 21_261)
        for _ in 0..<2 {
            guard case .message(let first) = try byName.next(), case .message(let second) = try byName.next() else {
                Issue.record("no messages")
                break
            }
            #expect(first["text"] == "2:1" && first["contentType"] == "text/plain" && first["sequence"] == 0)
            #expect(first["channel"] == "Scores" && first["id"] == "settings:Scores")
            #expect(second["octets"] == 65_536 && second["sequence"] == 1 && second["text"] == nil)
            #expect(second["base64"]?.string?.utf8.count == 87_384)
            swap(&byName, &byChannel)
        }
        let row = try box.answer("data", "list", "Scores").at("/channels/0")
        #expect(row?["messages"] == 2 && row?["lost"] == 0 && row?["observers"] == 3)
        #expect(box.client("data", "list", "Nothing").code == 1)
        #expect(box.client("tune", "Scores").code == 1)
        #expect(box.end() == .ok)
    }

    @Test func textsRunAndAllowedCuesAreExecuted() throws {
        let box = try RunningBox(Self.settings(21_271))
        _ = try box.await("data") {
            $0.at("/channels/0/isJoined") == true && $0.at("/channels/1/isJoined") == true
        }
        var scores = DataSender(source: 7)
        try Self.send(try scores.packets(of: Array("2:1".utf8), type: "text/plain"), port: 21_271)
        _ = try box.await("stats") { $0.at("/stats/data/consumed") == 1 }
        _ = try box.await("stats") { $0.at("/stats/screenText/typesettings") == 1 }
        var cues = DataSender(source: 8)
        for cue in [
            #"{"command":"mute"}"#, #"{"command":"shutdown"}"#, "rubbish",
            #"{"command":"volume","arguments":{"volume":33}}"#,
        ] {
            try Self.send(
                try cues.packets(of: Array(cue.utf8), type: DataConsumption.cueType), port: 21_273)
        }
        let status = try box.await("status") { $0["volume"] == 33 }
        #expect(status["isMuted"] == false)
        let stats = try box.answer("stats")
        #expect(stats.at("/stats/data/refused") == 3 && stats.at("/stats/data/consumed") == 2)
        #expect(box.end() == .ok)
    }

    /// SVM-44: who follows a name waits for its channel.
    @Test func aNameMayBeFollowedBeforeItsChannelIsThere() throws {
        let box = try RunningBox(Self.settings(21_281))
        _ = try box.await("status") { $0["boxId"] != nil }
        var client = try Self.follower("Later", box)
        #expect(try client.next() == .answer(.ok, result: ["channel": "Later"]))
        #expect(try box.answer("data")["channels"]?.array?.count == 2)
        #expect(box.end() == .ok)
    }
}
