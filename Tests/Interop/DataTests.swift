// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Issue 5, "Shows 8": messages of our streamer through a bad network, followed at a box by name, before the channel is
    /// there, and by its id.
    @Suite struct DataTests {
        private static let (messageCount, everyMs) = (1_000, 10)

        /// Sizes of all magnitudes, the least and the greatest among them, in any order.
        private static func messages() -> [[UInt8]] {
            var random = SplitMix64(seed: Interop.seed)
            var sizes = [1, 65_536]
            while sizes.count < messageCount {
                let magnitude = Int.random(in: 0...15, using: &random)
                sizes.append(Int.random(in: 1...1 << magnitude, using: &random))
            }
            sizes.shuffle(using: &random)
            return sizes.enumerated().map { index, size in
                (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index &* 7 &+ $0 >> 8) }
            }
        }

        private func configuration(_ group: Group, via: Group, announcing sap: Group) -> JSONValue {
            [
                "streamer": ["id": "data"], "license": BoxProcess.license, "network": ["interface": "lo", "hops": 1],
                "announcements": ["groups": [sap.json], "intervalMs": 500],
                "channels": [
                    group.json.merging(patch: [
                        "number": 8, "name": "Scores", "kind": "data", "contentType": "application/octet-stream",
                        "via": .string(via.address), "everyMs": .integer(Int64(Self.everyMs)), "bitrateKbps": 20_000,
                        "repair": [
                            "scheme": "windows", "sourcePackets": 50, "repairPackets": 25, "depth": 2, "spanMs": 500,
                        ],
                    ])
                ],
            ]
        }

        /// What came over a follower so far: sequences and messages.
        private func heard(_ follower: ChildProcess) throws -> [(sequence: Int64, octets: [UInt8])] {
            let output = follower.output
            guard let end = output.lastIndex(of: 0x0a) else { return [] }
            return try output[...end].split(separator: 0x0a).map { line in
                let message = try JSONValue.parse(Array(line), limits: JSONLimits(maximumOctets: 1 << 20))
                let octets =
                    message["text"]?.string.map { Array($0.utf8) }
                    ?? message["base64"]?.string.flatMap { Data(base64Encoded: $0).map(Array.init) } ?? []
                return (message["sequence"]?.integer ?? -1, octets)
            }
        }

        @Test func eachMessageIsDeliveredOnceAndInOrderThroughLoss() async throws {
            try await TestVenue.open { venue in
                let (group, via, sap) = (Group(), Group(), Group())
                let sent = Self.messages()
                let lines = sent.map { "{\"base64\":\"\(Data($0).base64EncodedString())\"}\n" }.joined()
                let file = try venue.directory.write(lines, to: "messages.jsonl")
                let streamer = try Programs.path("touchline-streamer")
                let ports = "\(group.port),\(group.port + 2)"
                let ledger = venue.directory.file("ledger")
                let relay = try venue.start(
                    [
                        streamer, "relay", "--from", "\(via.address):\(ports)", "--to", "\(group.address):\(ports)",
                        "--interface", "lo", "--hops", "1", "--loss", "5%", "--seed", "\(Interop.seed)", "--ledger",
                        ledger,
                    ], name: "relay")
                let box = try await BoxProcess(["announcements": ["groups": [sap.json]]], in: venue)
                let client = [try Programs.path("touchline"), "--socket", box.socket, "--json", "data", "follow"]
                let byName = try venue.start(client + ["Scores"], name: "by-name")
                let byChannel = try venue.start(client + ["data/8"], name: "by-channel")
                let path = try venue.directory.write(
                    configuration(group, via: via, announcing: sap).text(), to: "headend.json")
                _ = try venue.start([streamer, "--config", path, "--messages", file], name: "streamer")
                try await box.awaitChannel("Scores")
                let span = Duration.milliseconds(2 * Self.messageCount * Self.everyMs) + .seconds(20)
                let isAll = try await eventually(within: span) {
                    let row = try await box.answer("data", "list", "Scores").at("/channels/0")
                    return row?["messages"]?.integer ?? 0 > Self.messageCount
                }
                #expect(isAll)
                let hasAll = try await eventually(within: .seconds(10)) {
                    try [byName, byChannel].allSatisfy { try heard($0).count >= Self.messageCount }
                }
                #expect(hasAll)
                for follower in [byName, byChannel] {
                    let messages = try heard(follower)
                    let first = try #require(messages.first?.sequence)
                    #expect(messages.map(\.sequence) == (first..<first + Int64(messages.count)).map { $0 })
                    for (sequence, octets) in messages where octets != sent[Int(sequence) % sent.count] {
                        Issue.record("message \(sequence) is not the one that was sent")
                    }
                }
                let row = try await box.answer("data", "list", "Scores").at("/channels/0")
                #expect(row?["lost"] == 0 && row?["incomplete"] == 0 && row?["damaged"] == 0 && row?["observers"] == 2)
                relay.signal(SIGTERM)
                #expect(try await relay.exitCode(within: .seconds(5)) == 0)
                let total = String(decoding: FileManager.default.contents(atPath: ledger) ?? Data(), as: UTF8.self)
                    .split(separator: "\n").last.flatMap { try? JSONValue.parse(Array($0.utf8)) }
                let (received, dropped) = (total?["received"]?.integer ?? 0, total?["dropped"]?.integer ?? 0)
                #expect(
                    received > 1_500 && Double(dropped) > 0.03 * Double(received),
                    "the network was good: \(String(describing: total))")
            }
        }
    }
}
