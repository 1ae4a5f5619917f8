// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// "Shows 2 and 5" of the fourth step: ffmpeg's parity, which nothing announces, through a relay to a box.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ParityChannelTests {
        @Test func parityOfTheSettingsBringsBackWhatARelayDrops() async throws {
            try await TestVenue.open { venue in
                let (target, via) = (StreamTarget(), Group().port)
                let video = try await CountedVideo.make(in: venue)
                // prompeg has no word for the interface: what it sends goes to this machine's own address.
                let parity: JSONValue = ["repair": ["scheme": "parity", "spanMs": 1_000]]
                let box = try await BoxProcess(
                    ["channels": .array([target.json.merging(patch: parity)])], in: venue)
                _ = try await box.answer("tune", target.name)
                let isJoined = try await eventually(within: .seconds(5)) {
                    try await box.counter("/reception/datagrams") == 0
                }
                #expect(isJoined)
                try await Task.sleep(for: .milliseconds(300))
                let relay = try await RelayProcess.start(
                    [
                        "--from", "127.0.0.1:\(via),\(via + 2),\(via + 4)", "--to",
                        "\(target.group.address):\(target.group.port)", "--loss", "1%",
                    ], in: venue)
                try venue.start(
                    CountedVideo.ffmpeg + [
                        "-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy", "-f", "rtp_mpegts", "-fec",
                        "prompeg=l=5:d=10", "rtp://127.0.0.1:\(via)?pkt_size=1328",
                    ], name: "ffmpeg")
                let isPlaying = try await eventually(within: .seconds(15)) {
                    try await box.counter("/stage/picturesPresented") > 25
                }
                #expect(isPlaying)
                try await Task.sleep(for: .seconds(Interop.playSeconds(usual: 10)))
                let flows = try await relay.end()
                let drops = flows[0].drops()
                var rest = try await box.answer("stats")
                func value(_ name: String) -> Int64 { rest.at("/stats/\(name)")?.integer ?? -1 }
                _ = try await eventually(within: .seconds(5)) {
                    rest = try await box.answer("stats")
                    return value("reception/recoveredPackets") + value("reception/lostPackets")
                        - value("reception/needlessRecoveries") >= drops
                }
                let (made, lost) = (value("reception/recoveredPackets"), value("reception/lostPackets"))
                print("parity: \(drops) of \(flows[0].received) lost, \(made) made again, \(lost) not")
                #expect(made + lost - value("reception/needlessRecoveries") == drops, "seed \(Interop.seed)")
                // Two in the same row and in the same column may be lost, and two of a block that nothing ended.
                #expect(drops >= 5 && lost <= max(2, drops / 10), "\(lost) of \(drops), seed \(Interop.seed)")
                #expect(value("reception/lostBeforeRepair") == flows[0].drops(patience: 256))
                let heard = flows.map { Int64($0.received - $0.dropped.count) }
                #expect(value("reception/parityColumns") == heard[1] && value("reception/parityRows") == heard[2])
                if lost == 0 { #expect(value("playback/damagedFrames") == 0) }
                try Peer.ffmpeg.log(test: "parity channel", checks: 1)
            }
        }

        /// A box that knows the group alone: it finds the parity while it plays, and repairs all of it from the next tuning
        /// on.
        @Test func parityThatNobodyAnnouncesIsFound() async throws {
            try await TestVenue.open { venue in
                let (target, via) = (StreamTarget(), Group().port)
                let video = try await CountedVideo.make(in: venue)
                let box = try await BoxProcess(["channels": .array([target.json])], in: venue)
                let relay = try await RelayProcess.start(
                    [
                        "--from", "127.0.0.1:\(via),\(via + 2),\(via + 4)", "--to",
                        "\(target.group.address):\(target.group.port)", "--loss", "2%",
                    ], in: venue)
                try venue.start(
                    CountedVideo.ffmpeg + [
                        "-re", "-stream_loop", "-1", "-i", video.path, "-c", "copy", "-f", "rtp_mpegts", "-fec",
                        "prompeg=l=8:d=8", "rtp://127.0.0.1:\(via)?pkt_size=1328",
                    ], name: "ffmpeg")
                try await box.tune(target.name)
                let session = try await box.answer("status")["session"]
                let isFound = try await eventually(within: .seconds(10)) {
                    try await box.counter("/reception/repairOrigin") == 2
                }
                #expect(isFound)
                #expect(try await box.answer("status")["session"] == session, "nothing is interrupted")
                let row = try await box.answer("channels").at("/channels/0/repair")
                #expect(row?["isFound"] == true && row?.at("/columns/port") == .integer(Int64(target.group.port) + 2))
                // Two blocks of 64 packets at 2.5 Mbit/s take 0.54 s, of which half is added.
                #expect((300...1_500).contains(row?["spanMs"]?.integer ?? 0), "\(String(describing: row))")

                _ = try await box.answer("stop")
                try await box.tune(target.name)
                // What was lost before the first whole block cannot be made good, and is given up 1.2 s later.
                try await Task.sleep(for: .seconds(2))
                let names = ["lostPackets", "recoveredPackets", "lostBeforeRepair"].map { "/reception/\($0)" }
                let before = try await box.counters(names[0], names[1], names[2])
                try await Task.sleep(for: .seconds(Interop.playSeconds(usual: 5)))
                let after = try await box.counters(names[0], names[1], names[2])
                let (lost, made) = (after[0] - before[0], after[1] - before[1])
                print("parity found: span \(row?["spanMs"]?.integer ?? 0) ms, then \(made) made again, \(lost) not")
                // Two in the same row and in the same column may be lost.
                #expect(made >= 5 && lost <= max(2, made / 10), "seed \(Interop.seed)")
                #expect(try await box.counter("/reception/foreignRepair") == 0)
                _ = try await relay.end()
                try Peer.ffmpeg.log(test: "parity found", checks: 1)
            }
        }
    }
}
