// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The bad network that all tests of repair stand on: what it says it did is what is missing.
    @Suite struct RelayTests {
        /// `GROUP:PORT`
        private func text(_ group: Group) -> String { "\(group.address):\(group.port)" }

        private func sequence(_ packet: [UInt8]) -> UInt16 { UInt16(packet[2]) << 8 | UInt16(packet[3]) }

        @Test(.enabled(if: Peer.ffmpeg.isThere)) func theLedgerIsWhatIsMissing() async throws {
            try await TestVenue.open { venue in
                let (from, to) = (Group(), Group())
                let receiver = try DatagramReceiver(of: to)
                defer { receiver.end() }
                let ledger = venue.directory.file("ledger")
                let relay = try venue.start(
                    [
                        try Programs.path("touchline-streamer"), "relay", "--from", text(from), "--to", text(to),
                        "--interface", "lo", "--hops", "1", "--loss", "5%", "--burst", "8", "--duplicate", "2%",
                        "--reorder", "2%", "--seed", "\(Interop.seed)", "--ledger", ledger,
                    ], name: "relay")
                #expect(try await eventually(within: .seconds(5)) { relay.messages.contains("flow relayed") })
                try await venue.succeed([
                    Peer.ffmpeg.path, "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t",
                    "6",
                    "-c:v", "mpeg2video", "-b:v", "4M", "-minrate", "4M", "-maxrate", "4M", "-bufsize", "1M", "-f",
                    "rtp_mpegts", "rtp://\(text(from))?ttl=1&pkt_size=1328&localaddr=127.0.0.1",
                ])
                try await Task.sleep(for: .milliseconds(300))  // what is held back
                relay.signal(SIGTERM)
                #expect(try await relay.exitCode(within: .seconds(5)) == 0)
                let file = FileManager.default.contents(atPath: ledger) ?? Data()
                let lines = try file.split(separator: 0x0a).map { try JSONValue.parse(Array($0)) }
                let total = try #require(lines.last)
                #expect(total["event"] == "total" && total["kernelDrops"] == 0 && total["refused"] == 0)
                let sent = Int(total["sent"]?.integer ?? 0)
                #expect(try await eventually(within: .seconds(5)) { receiver.datagrams.count >= sent })

                let heard = receiver.datagrams.map(sequence)
                func sequences(_ event: String) -> [UInt16] {
                    lines.filter { $0["event"] == .string(event) && $0["number"] != nil }
                        .compactMap { $0["sequence"]?.integer.map { UInt16(truncatingIfNeeded: $0) } }
                }
                let dropped = sequences("dropped")
                #expect(dropped.count == Int(total["dropped"]?.integer ?? -1) && dropped.count > 0)
                #expect(heard.count == sent)
                let known = Set(heard).union(dropped)
                #expect(Set(heard).isDisjoint(with: dropped))
                #expect(known.count == Int(total["received"]?.integer ?? -1))
                // RTP's numbers run on: whatever is not heard is in the ledger.
                #expect(known.count { !known.contains($0 &+ 1) } == 1)
                let copies = Dictionary(heard.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys
                #expect(Set(copies) == Set(sequences("duplicated")))
                try Peer.ffmpeg.log(test: "relay", checks: known.count)
            }
        }

        /// Repair, the second path and the group for other players carry the same packets.
        @Test func allFlowsOfAChannelAreTheSamePackets() async throws {
            try await TestVenue.open { venue in
                let (first, second) = (Group(), Group())
                let receivers = [
                    try DatagramReceiver(of: first), try DatagramReceiver(of: second),
                    try DatagramReceiver(of: first, port: first.port + 1_001),
                    try DatagramReceiver(of: first, port: first.port + 2),
                ]
                defer { for receiver in receivers { receiver.end() } }
                let channel: JSONValue = [
                    "number": 1, "name": "Windows", "width": 320, "height": 180, "bitrateKbps": 300,
                    "preset": "ultrafast", "repair": ["scheme": "windows", "sourcePackets": 10, "repairPackets": 4],
                    "secondPath": second.json, "plain": ["port": .integer(Int64(first.port + 1_001))],
                ]
                let headEnd = try venue.headEnd([
                    "streamer": ["id": "relay"], "license": BoxProcess.license,
                    "network": ["interface": "lo", "hops": 1], "announcements": ["groups": []],
                    "channels": [channel.merging(patch: first.json)],
                ])
                let isEnough = try await eventually(within: .seconds(20)) {
                    receivers.allSatisfy { $0.datagrams.count > 60 }
                }
                headEnd.signal(SIGTERM)
                #expect(try await headEnd.exitCode(within: .seconds(5)) == 0)
                #expect(isEnough)
                let flows = receivers.map(\.datagrams)
                let common = flows[..<3].map(\.count).min() ?? 0
                #expect(flows[0].prefix(common) == flows[1].prefix(common))
                let withoutTrailer = flows[0].prefix(common).map { $0.dropLast(6) }
                #expect(withoutTrailer == flows[2].prefix(common).map { $0[...] })
                let sizes = Set(flows[2].map { ($0.count - 12) % 188 })
                #expect(sizes == [0])
            }
        }

        @Test func whatIsWrongEndsItWithTwo() async throws {
            try await TestVenue.open { venue in
                let program = try Programs.path("touchline-streamer")
                let refused = try await venue.run([program, "relay", "--from", "239.1.1.1:5004", "--loss", "5"])
                #expect(try await refused.exitCode(within: .zero) == 2)
                #expect(refused.messages.contains("--loss is '5'; expected a share like 5% or 0.05, 0...100%"))
                let help = try await venue.run([program, "relay", "--help"])
                #expect(try await help.exitCode(within: .zero) == 0)
                #expect(help.outputText.contains("--second-from"))
            }
        }
    }
}
