// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// SVM-21: whichever way an order comes, it ends in the same change of the settings.
    @Suite(.enabled(if: Peer.curl.isThere && OpenSSLPeer.isThere)) struct OrderWaysTests {
        @Test func anOrderComesByEveryWay() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let keys = try OpenSSLPeer.makeKeys()
                try venue.directory.write(keys.private, to: "key.pem")
                let (group, port) = (Group(), Int.random(in: 20_000...29_999))
                let client = try Programs.path("touchline")
                let box = try await BoxProcess(
                    [
                        "http": ["port": .integer(Int64(port))], "confirmation": ["steadyS": 1],
                        "push": [
                            "keys": [
                                [
                                    "id": "a", "publicKey": .string(keys.public.split(separator: "\n")[1].description),
                                    "targets": ["all"],
                                ]
                            ]
                        ],
                        "channels": [
                            group.json.merging(patch: ["name": "Cues", "kind": "data", "payloadType": 97])
                        ],
                        "data": ["consumers": [["channel": "Cues", "kind": "cues"]], "allowedCommands": ["push"]],
                    ], in: venue)
                let socket = try ControlSocket(box.socket)
                var revision = 0

                func order() async throws -> (text: String, path: String) {
                    revision += 1
                    let patch: JSONValue = ["sound": ["volume": .integer(Int64(30 + revision))]]
                    let child = try await venue.succeed([
                        client, "config", "sign", "--key", venue.directory.file("key.pem"), "--key-id", "a", "--all",
                        "--revision", "\(revision)", "--expires", "2099-01-01T00:00:00Z",
                        try venue.directory.write(patch.text(), to: "patch.json"),
                    ])
                    let text = try JSONValue.parse(child.outputText).text()
                    return (text, try venue.directory.write(text, to: "order.json"))
                }
                func expectTaken(_ way: Comment) async throws {
                    let isTaken = try await eventually(within: .seconds(5)) {
                        try socket.ask("config", ["path": "sound.volume"]).result["config"]
                            == .integer(Int64(30 + revision))
                    }
                    #expect(isTaken, way)
                    #expect(try socket.ask("push-status").result["applied"] == .integer(Int64(revision)), way)
                    let newest = try socket.ask("config-history").result["revisions"]?.array?.first
                    #expect(newest?["author"] == "push a", way)
                }

                let first = try await order()
                _ = try socket.ask("push", ["envelope": try JSONValue.parse(first.text)])
                try await expectTaken("the socket")

                let second = try await order()
                try await venue.succeed([client, "--socket", box.socket, "config", "push", second.path])
                try await expectTaken("the client, of a file")

                let third = try await order()
                try await venue.succeed([client, "--socket", box.socket, "push", third.text])
                try await expectTaken("the client, of a word")

                let fourth = try await order()
                try venue.directory.write("push '\(fourth.text)'\n", to: "line")
                try await venue.succeed([
                    "sh", "-c", "\(client) --socket \(box.socket) console < \(venue.directory.file("line"))",
                ])
                try await expectTaken("the console")

                let fifth = try await order()
                try venue.directory.write("{\"envelope\":\(fifth.text)}", to: "body")
                try await venue.succeed([
                    "curl", "-sf", "-H", "Content-Type: application/json", "--data-binary",
                    "@\(venue.directory.file("body"))", "http://127.0.0.1:\(port)/v1/push",
                ])
                try await expectTaken("HTTP")

                let sixth = try await order()
                let cue = "{\"command\":\"push\",\"arguments\":{\"envelope\":\(sixth.text)}}"
                let line: JSONValue = [
                    "text": .string(cue), "contentType": "application/vnd.touchline.command+json",
                ]
                try venue.directory.write(line.text() + "\n", to: "messages.jsonl")
                let headEnd: JSONValue = [
                    "streamer": ["id": "cues"], "license": BoxProcess.license,
                    "network": ["interface": "lo", "hops": 1],
                    "announcements": ["groups": []],
                    "channels": [
                        group.json.merging(patch: [
                            "number": 1, "name": "Cues", "kind": "data", "everyMs": 300, "payloadType": 97,
                        ])
                    ],
                ]
                let streamer = try venue.start(
                    [
                        try Programs.path("touchline-streamer"), "--config",
                        venue.directory.write(headEnd.text(), to: "headend.json"), "--messages",
                        venue.directory.file("messages.jsonl"),
                    ], name: "streamer")
                try await expectTaken("a data channel")
                try await streamer.end()
                try Peer.curl.log(test: "order", checks: 6)
            }
        }
    }
}
