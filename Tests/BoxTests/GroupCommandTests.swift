// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Network
import System
import TestSupport
import Testing
import Time

@testable import Box
@testable import DataChannels

/// Group commands of a whole box (G-33): keys of openssl, commands signed and sent by the client, or signed by openssl.
@Suite(.serialized, .enabled(if: Groups.canBeJoined && OpenSSLPeer.isThere)) struct GroupCommandTests {
    private static let type = "application/vnd.touchline.group-command+json"
    private static let group = "239.255.84.73"

    private struct Scene {
        /// Signs what the show needs, for all boxes.
        let show: (private: String, public: String)
        /// Signs for the group lobby alone, and nothing but `mute`.
        let lobby: (private: String, public: String)
        let port: UInt16
        let box: RunningBox

        init(port: UInt16, isClockSet: Bool = true) throws {
            show = try OpenSSLPeer.makeKeys()
            lobby = try OpenSSLPeer.makeKeys()
            self.port = port
            func key(_ id: String, _ pem: String, _ targets: JSONValue, _ commands: JSONValue) -> JSONValue {
                let line = pem.split(separator: "\n").dropFirst().first.map { String($0) } ?? ""
                return ["id": .string(id), "publicKey": .string(line), "targets": targets, "commands": commands]
            }
            func channel(_ name: String, _ offset: Int64) -> JSONValue {
                [
                    "name": .string(name), "address": "239.255.77.49", "port": .integer(Int64(port) + offset),
                ]
            }
            let cues = channel("Cues", 4).merging(patch: [
                "kind": "data", "payloadType": .integer(Int64(DataSender.payloadType)),
            ])
            let settings: JSONValue = [
                "output": ["width": 320, "height": 180], "log": ["level": "error"], "box": ["tags": ["vip"]],
                "network": ["interface": "lo"], "announcements": ["groups": []],
                "channels": [channel("One", 2), channel("Two", 6), cues],
                "data": ["consumers": [["channel": "Cues", "kind": "cues"]]],
                "push": [
                    "keys": [
                        key("show", show.public, ["all"], ["tune", "volume", "push", "*"]),
                        key("lobby", lobby.public, ["group:lobby"], ["mute"]),
                    ], "group": "bar",
                ],
                "groupCommands": [
                    "listen": [["address": .string(GroupCommandTests.group), "port": .integer(Int64(port))]]
                ],
            ]
            box = try RunningBox(settings) { $0.clock.isSynchronised = { isClockSet } }
            _ = try box.await("group-commands") { $0.at("/ports/0/address") != nil }
            _ = try box.await("data") { $0.at("/channels/0/isJoined") == true }
        }

        /// By the client.
        func send(
            _ line: String, by key: String? = nil, id: String = "show", for target: [String] = ["--all"],
            _ more: [String] = []
        ) throws -> JSONValue {
            let pem = box.directory + "/\(id).pem"
            try DurableFile.write(Array((key ?? show.private).utf8), to: pem)
            return try box.answer(
                [
                    "group-send", "--key", pem, "--key-id", id, "--to", "\(GroupCommandTests.group):\(port)",
                    "--interface", "lo",
                ] + target + more + [line])
        }

        /// The envelope that openssl makes of a payload.
        func envelope(_ sequence: Int64, _ command: String, _ arguments: String = "{}") throws -> [UInt8] {
            let now = SystemClock.wall()
            let payload = """
                { "groupCommand" : 1, "target":{"tag":"vip"}, "sequence":\(sequence), "sent":"\(now)",
                "expires":"\(WallTime(nanoseconds: now.nanoseconds + 20_000_000_000))", "command":"\(command)",
                "arguments":\(arguments)}
                """
            let type = GroupCommandTests.type
            let signed = "DSSEv1 \(type.utf8.count) \(type) \(payload.utf8.count) \(payload)"
            let signature = try OpenSSLPeer.signature(of: Array(signed.utf8), key: show.private)
            let envelope: JSONValue = [
                "payload": .string(Data(payload.utf8).base64EncodedString()), "payloadType": .string(type),
                "signatures": [["keyid": "show", "sig": .string(Data(signature).base64EncodedString())]],
            ]
            return envelope.octets(pretty: true)
        }

        func send(_ octets: [UInt8]) throws {
            let socket = try DatagramSocket(sendingTo: GroupCommandTests.group, port: port, interface: "lo")
            try octets.withUnsafeBytes { try socket.send($0) }
        }

        func stats() throws -> JSONValue? { try box.answer("stats").at("/stats/groupCommands") }

        func acted() throws -> [JSONValue] {
            let events = try box.answer("events")["events"]?.array ?? []
            return events.filter { $0["type"] == "service.groupCommandActed" }.compactMap { $0["payload"] }
        }
    }

    /// What a signed datagram can have a box do is this, whatever its key may give.
    @Test func whatIsForGroups() {
        let names = Box.catalogue.commands.filter(\.isForGroups).map(\.name)
        #expect(
            Set(names) == [
                "tune", "channel-up", "channel-down", "stop", "play", "pause", "seek-absolute", "seek-relative",
                "rewind",
                "live", "next", "playlist", "program", "visible", "background", "volume", "mute", "audio",
                "audio-region", "move",
                "osd", "list", "digit", "ticker", "ticker-clear", "message", "message-clear", "identify", "test-card",
                "tone", "layout",
                "region",
                "region-remove", "gallery", "viewport", "strategy", "sync-join", "sync-leave", "sync-calibrate",
                "sync-group-move", "sync-cii", "wifi-scan", "incident-record",
            ])
        let others = Box.catalogue.commands.filter { !$0.isForGroups }
        #expect(others.allSatisfy { $0.role != .operator || ["config-check", "ping"].contains($0.name) })
    }

    /// Real datagrams, a real file: each command acts once, long before its 300 ms are over.
    @Test func theClientTunesABox() throws {
        let scene = try Scene(port: 21_721)
        let count = 20
        for number in 0..<count {
            let sent = try scene.send(number.isMultiple(of: 2) ? "tune One" : "tune Two")
            #expect(sent["copies"] == 6 && sent["target"] == "all", "\(sent)")
            let name: JSONValue = number.isMultiple(of: 2) ? "One" : "Two"
            _ = try scene.box.await("group-commands") { $0.at("/last/arguments/channel") == name }
        }
        let acted = try scene.acted()
        let delays = acted.compactMap { $0["delayMs"]?.integer }.sorted()
        print("group commands: a box tunes after \(delays) ms")
        #expect(delays.count == count && acted.allSatisfy { $0["problem"] == nil })
        #expect(delays.count { $0 <= 300 } >= count * 9 / 10)
        let sequences = acted.compactMap { $0["sequence"]?.integer }
        #expect(sequences == Set(sequences).sorted())
        let stats = try scene.stats()
        #expect(stats?["acted"] == .integer(Int64(count)))
        #expect((stats?["copies"]?.integer ?? 0) >= Int64(count * 4))
        #expect(scene.box.end() == .ok)
    }

    /// The client refuses to sign what boxes refuse, and a box refuses what another program signs all the same.
    @Test func openSSLSignsCommands() throws {
        let scene = try Scene(port: 21_741)
        try scene.send(try scene.envelope(10, "volume", #"{"volume":33}"#))
        _ = try scene.box.await("status") { $0["volume"] == 33 }
        for (command, arguments) in [
            ("shutdown", "{}"), ("config-set", #"{"path":"box.name","value":"A"}"#), ("push", #"{"envelope":{}}"#),
            ("status", "{}"), ("config-check", #"{"settings":{}}"#),
        ] {
            try scene.send(try scene.envelope(11, command, arguments))
        }
        try scene.send(try scene.envelope(10, "volume", #"{"volume":44}"#))
        var changed = try scene.envelope(12, "volume", #"{"volume":55}"#)
        changed[changed.count / 3] ^= 1
        try scene.send(changed)
        let stats = try scene.box.await("stats") {
            $0.at("/stats/groupCommands/refused/notForGroups") == 5
                && $0.at("/stats/groupCommands/refused/replayed") == 1
        }.at("/stats/groupCommands")
        #expect(stats?["acted"] == 1)
        #expect(try scene.box.answer("status")["volume"] == 33)
        for line in ["shutdown", "status", "config set box.name A", "help", "nothing", "volume 200"] {
            let told = try scene.send(line)["errorString"]?.string
            #expect(told != nil, "\(line)")
        }
        PeerLog.add("openssl", test: "GroupCommandTests/openSSLSignsCommands", checks: 7)
        #expect(scene.box.end() == .ok)
    }

    @Test func keysHaveTheirScope() throws {
        let scene = try Scene(port: 21_761)
        for (line, target, reason) in [
            ("mute on", ["--all"], "keyWithoutTarget"), ("mute on", ["--group", "lobby"], "otherTarget"),
        ] {
            _ = try scene.send(line, by: scene.lobby.private, id: "lobby", for: target)
            _ = try scene.box.await("stats") {
                ($0.at("/stats/groupCommands/refused/\(reason)")?.integer ?? 0) > 0
            }
        }
        #expect(try scene.box.merge(["push": ["group": "lobby"]])["errorString"] == nil)
        _ = try scene.send("volume 11", by: scene.lobby.private, id: "lobby", for: ["--group", "lobby"])
        _ = try scene.box.await("stats") {
            ($0.at("/stats/groupCommands/refused/keyWithoutCommand")?.integer ?? 0) > 0
        }
        _ = try scene.send("mute on", by: scene.lobby.private, id: "lobby", for: ["--group", "lobby"])
        _ = try scene.box.await("status") { $0["isMuted"] == true }
        #expect(try scene.stats()?["acted"] == 1)
        #expect(try scene.box.answer("status")["volume"] != 11)
        #expect(scene.box.end() == .ok)
    }

    @Test func withoutAClockNothingIsDone() throws {
        let scene = try Scene(port: 21_781, isClockSet: false)
        _ = try scene.send("volume 11")
        _ = try scene.box.await("stats") {
            ($0.at("/stats/groupCommands/refused/clockNotSet")?.integer ?? 0) > 0
        }
        #expect(try scene.stats()?["acted"] == 0)
        #expect(try scene.box.answer("group-commands")["isClockSet"] == false)
        #expect(scene.box.end() == .ok)
    }

    /// A cue that is signed needs no permission of the settings; one that is not does nothing without it.
    @Test func dataChannelsCarrySignedCommands() throws {
        let scene = try Scene(port: 21_801)
        var cues = DataSender(source: 8)
        func cue(_ octets: [UInt8], _ type: String) throws {
            let socket = try DatagramSocket(sendingTo: "239.255.77.49", port: scene.port + 4, interface: "lo")
            for packet in try cues.packets(of: octets, type: type) {
                try packet.withUnsafeBytes { try socket.send($0) }
            }
        }
        let envelope = try scene.envelope(20, "volume", #"{"volume":33}"#)
        try cue(Array(#"{"command":"volume","arguments":{"volume":22}}"#.utf8), DataConsumption.cueType)
        var forged = envelope
        forged[forged.count / 3] ^= 1
        try cue(forged, DataConsumption.signedType)
        try cue(envelope, DataConsumption.signedType)
        _ = try scene.box.await("status") { $0["volume"] == 33 }
        // By the other way it is a copy, and in other octets a replay.
        try scene.send(envelope)
        try cue(envelope + [0x0a], "")
        let stats = try scene.box.await("stats") {
            $0.at("/stats/groupCommands/copies") == 1 && $0.at("/stats/groupCommands/refused/replayed") == 1
        }
        #expect(stats.at("/stats/groupCommands/acted") == 1)
        #expect(stats.at("/stats/data/consumed") == 1 && stats.at("/stats/data/refused") == 3)
        #expect(try scene.acted().map { $0["source"] } == ["Cues"])
        #expect(scene.box.end() == .ok)
    }

    /// The sequences beside a key go on where they were, also where they are ahead of the clock.
    @Test func theClientKeepsSequences() throws {
        let scene = try Scene(port: 21_821)
        let first = try #require(try scene.send("volume 1")["sequence"]?.integer)
        #expect(abs(first - SystemClock.wall().nanoseconds / 1_000_000_000) < 60)
        let file = scene.box.directory + "/show.pem.sequence"
        try DurableFile.write(Array("\(first + 1_000)\n".utf8), to: file)
        #expect(try scene.send("volume 2")["sequence"] == .integer(first + 1_001))
        #expect(try DurableFile.read(file) == Array("\(first + 1_001)\n".utf8))
        try DurableFile.write(Array("many".utf8), to: file)
        #expect(try scene.send("volume 3")["errorString"]?.string?.contains("holds \"many\"") == true)
        #expect(try scene.send("volume 3", ["--sequence", "\(first + 1_002)"])["copies"] == 6)
        #expect(try scene.send("volume 4", ["--sequence", "0"])["errorString"] != nil)
        _ = try scene.box.await("status") { $0["volume"] == 3 }
        let long = "message " + String(repeating: "é", count: 400)
        #expect(try scene.send(long, ["--sequence", "9"])["errorString"]?.string?.contains("octets") == true)
        for to in ["239.255.84.73", "a:1", "239.255.84.73:0", "ff15::1:7684", "[ff15::1]:70000"] {
            #expect(try scene.send("volume 5", ["--to", to])["errorString"]?.string?.contains("--to") == true, "\(to)")
        }
        #expect(scene.box.end() == .ok)
    }
}
