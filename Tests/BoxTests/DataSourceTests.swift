// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A data channel that several head-ends send.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct DataSourceTests {
        private static let group = "239.255.77.53"

        /// The first falls silent for ever and the last goes on; later the first returns and the last is gone.
        @Test(arguments: [2, 10]) func anotherSourceIsHeard(count: Int) throws {
            try OwnNetwork.run {
                let sources = (0..<count).map { "10.0.0.\($0 + 2)" }
                let addresses = sources.dropFirst().map { "ip addr add \($0)/24 dev venue0 && " }.joined()
                try #require(
                    OwnNetwork.connect()
                        && OwnNetwork.shell(addresses + "ip route replace 224.0.0.0/4 dev venue0"))
                let box = try RunningBox([
                    "network": ["interface": "box0"], "announcements": ["groups": []],
                    "channels": [
                        [
                            "name": "Scores", "kind": "data", "address": .string(Self.group), "port": 21_285,
                            "payloadType": .integer(Int64(DataSender.payloadType)), "source": .string(sources[0]),
                            "furtherSources": .array(sources.dropFirst().map { .string($0) }),
                        ]
                    ],
                    "data": ["consumers": [["channel": "Scores", "kind": "ticker"]]],
                    "output": ["width": 320, "height": 180], "log": ["level": "error"], "http": ["isEnabled": false],
                ])
                _ = try box.await("data") { $0.at("/channels/0/isJoined") == true }
                var senders = sources.indices.map { DataSender(source: UInt32(7 + $0)) }
                for (round, place) in [0, count - 1, count - 1, 0].enumerated() {
                    let before = try consumed(box)
                    // Sent again until it is taken: a source is silent for a while before another is heard.
                    _ = try box.await("stats") { stats in
                        let packets =
                            (try? senders[place].packets(of: Array("\(round)".utf8), type: "text/plain")) ?? []
                        for packet in packets {
                            Datagrams.send(packet, to: Self.group, 21_285, from: sources[place])
                        }
                        return stats.at("/stats/data/consumed")?.integer ?? 0 > before
                    }
                }
                #expect(box.end() == .ok)
            }
        }

        private func consumed(_ box: RunningBox) throws -> Int64 {
            try box.answer("stats").at("/stats/data/consumed")?.integer ?? 0
        }
    }
}
