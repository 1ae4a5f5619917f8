// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Shows 3, 4 and 5" of the fourth step with the programs as they are: a head-end, a relay that loses packets as a
    /// radio does, and a box that shows what was sent and counts what was lost.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct RepairTests {
        /// A box is sure of a loss by one path when so many more packets came (`lostBeforeRepair`).
        private static let patience = 256
        private static let gilbert = ["--loss", "5%", "--burst", "8"]
        /// The 780 packets of six windows take 1.4 s, and a program may have to wait for a processor meanwhile.
        private static let repair: JSONValue = [
            "repair": ["scheme": "windows", "sourcePackets": 100, "repairPackets": 30, "depth": 6, "spanMs": 2_000]
        ]
        /// Fault counters of one session.
        private static let faults = [
            "/playback/damagedFrames", "/playback/decodeErrors", "/reception/tsDiscontinuities",
            "/reception/windowsFailed", "/reception/windowsRefused", "/reception/lostPackets",
            "/reception/latePackets", "/reception/kernelDrops", "/stage/drawErrors", "/sound/skippedFrames",
        ]

        /// A channel of a head-end's configuration that only a relay hears.
        private struct Sent {
            let name: String
            let number: Int64
            let heard = Group()
            let via: String

            init(_ name: String, number: Int64) {
                (self.name, self.number, via) = (name, number, Group().address)
            }

            func json(_ video: CountedVideo, _ more: JSONValue = [:]) -> JSONValue {
                heard.json.merging(patch: [
                    "name": .string(name), "number": .integer(number), "kind": "file", "file": .string(video.path),
                    "via": .string(via),
                ]).merging(patch: more)
            }

            /// Words of a relay's command line.
            /// - Parameter ports: of the flows, behind the channel's own.
            func relayed(_ ports: [Int]) -> [String] {
                let list = ports.map { "\(heard.port + $0)" }.joined(separator: ",")
                return ["--from", "\(via):\(list)", "--to", "\(heard.address):\(heard.port)"]
            }
        }

        private func headEnd(_ channels: [JSONValue], announcing group: Group, in venue: TestVenue) throws {
            _ = try venue.headEnd([
                "streamer": ["id": "repair"], "license": BoxProcess.license,
                "network": ["interface": "lo", "hops": 1],
                "announcements": ["groups": [group.json], "intervalMs": 1_000],
                "channels": .array(channels),
            ])
        }

        /// Joins a channel of which nothing comes yet, so that all that a relay lets through is heard.
        private func join(_ name: String, _ box: BoxProcess) async throws {
            try await box.awaitChannel(name)
            _ = try await box.answer("tune", name)
            let isJoined = try await eventually(within: .seconds(5)) {
                try await box.counter("/reception/datagrams") == 0
            }
            guard isJoined else { throw VenueError("\(name) is not joined: \(try await box.answer("stats"))") }
            try await Task.sleep(for: .milliseconds(300))
        }

        private func awaitPlaying(_ box: BoxProcess) async throws {
            let isPlaying = try await eventually(within: .seconds(15)) {
                try await box.counter("/stage/picturesPresented") > 25
            }
            guard isPlaying else { throw VenueError("nothing plays: \(try await box.answer("stats"))") }
        }

        /// Looks at random instants: each look is the picture that its number says.
        /// - Returns: the least likeness.
        private func look(
            at video: CountedVideo, on box: BoxProcess, seconds: Double, in venue: TestVenue
        ) async throws -> Double {
            let count = min(max(8, Int(seconds / 5)), 200)
            var random = SplitMix64(seed: Interop.seed)
            var paths: [String] = []
            let began = ContinuousClock.now
            for index in 0..<count {
                let part = (Double(index) + Double.random(in: 0..<0.9, using: &random)) * seconds / Double(count)
                try await Task.sleep(until: began + .seconds(part), clock: .continuous)
                paths.append(try await box.screenshot("look-\(index).png"))
            }
            try await Task.sleep(until: began + .seconds(seconds), clock: .continuous)
            let shots = try await Screenshots(paths, in: venue)
            #expect(!shots.numbers.contains(nil), "\(shots.numbers), seed \(Interop.seed)")
            let numbers = shots.numbers.compactMap { $0 }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 != $1 }, "the picture stands: \(numbers)")
            return try await shots.likeness(to: video).values.min() ?? 0
        }

        private func faults(of stats: JSONValue) -> [String: Int64] {
            Dictionary(uniqueKeysWithValues: Self.faults.map { ($0, stats.at("/stats" + $0)?.integer ?? -1) })
        }

        private func value(_ name: String, _ stats: JSONValue) -> Int64 {
            stats.at("/stats/reception/\(name)")?.integer ?? -1
        }

        /// Without repair what a relay drops is missing, and shows.
        @Test func windowsBringBackWhatARadioLoses() async throws {
            try await TestVenue.open { venue in
                let video = try await CountedVideo.makeDense(seconds: 40, in: venue)
                let (group, windows, bare) = (Group(), Sent("Windows", number: 1), Sent("Bare", number: 2))
                try headEnd([windows.json(video, Self.repair), bare.json(video)], announcing: group, in: venue)
                let box = try await BoxProcess(["announcements": ["groups": [group.json]]], in: venue)

                try await join("Windows", box)
                let relay = try await RelayProcess.start(windows.relayed([0, 2]) + Self.gilbert, in: venue)
                try await awaitPlaying(box)
                // Windows that began before the first packet cannot be whole: two spans later they are done with.
                try await Task.sleep(for: .seconds(4))
                let before = try await box.answer("stats")
                let worst = try await look(
                    at: video, on: box, seconds: Interop.playSeconds(usual: 20), in: venue)
                let after = try await box.answer("stats")
                let flows = try await relay.end()
                #expect(faults(of: after) == faults(of: before), "seed \(Interop.seed)")
                #expect(worst >= 0.98, "SSIM, seed \(Interop.seed)")

                // What waits for repair that does not come any more is given up.
                let drops = flows[0].drops()
                _ = try await eventually(within: .seconds(6)) {
                    let rest = try await box.answer("stats")
                    return value("lostPackets", rest) + value("recoveredPackets", rest)
                        - value("needlessRecoveries", rest) >= drops
                }
                let rest = try await box.answer("stats")
                print("windows: \(drops) of \(flows[0].received) lost, worst SSIM \(worst)")
                for name in [
                    "lostBeforeRepair", "recoveredPackets", "lostPackets", "latePackets", "protectionWindows",
                    "windowsWithoutLoss", "windowsRepaired", "windowsFailed", "repairDatagrams", "datagrams",
                ] {
                    print("windows: \(name) \(value(name, before)), \(value(name, after)), \(value(name, rest))")
                }
                #expect(value("lostBeforeRepair", rest) == flows[0].drops(patience: Self.patience))
                let needless = value("needlessRecoveries", rest)
                #expect(value("lostPackets", rest) + value("recoveredPackets", rest) - needless == drops)
                #expect(value("repairDatagrams", rest) == Int64(flows[1].received - flows[1].dropped.count))
                let heard = flows.reduce(0) { $0 + $1.received - $1.dropped.count }
                #expect(value("datagrams", rest) == Int64(heard))
                #expect(value("latePackets", rest) == 0)
                for stats in [before, after, rest] {
                    let kinds = ["windowsWithoutLoss", "windowsRepaired", "windowsFailed", "windowsRefused"]
                    #expect(kinds.reduce(0) { $0 + value($1, stats) } == value("protectionWindows", stats))
                }
                // Of three windows one or two: at 5 % in bursts some hundred in 20 s.
                #expect(value("windowsRepaired", after) - value("windowsRepaired", before) >= 30)
                // SVM-126, by the reference's names.
                let session = try await box.answer("stats", "--session")
                let parts = [
                    "window_no_loss", "window_recovery_successes", "window_recovery_failures", "window_error",
                ].map { session.at("/stats/\($0)")?.integer ?? -1 }
                #expect(parts.reduce(0, +) == session.at("/stats/protection_windows")?.integer, "\(parts)")

                try await join("Bare", box)
                let bareRelay = try await RelayProcess.start(bare.relayed([0]) + Self.gilbert, in: venue)
                try await awaitPlaying(box)
                let visible = try await eventually(within: .seconds(20)) {
                    try await box.counters("/playback/damagedFrames", "/reception/tsDiscontinuities")
                        .allSatisfy { $0 > 5 }
                }
                #expect(visible, "neither damaged pictures nor discontinuities")
                let bareFlows = try await bareRelay.end()
                let bareDrops = bareFlows[0].drops()
                let isCounted = try await eventually(within: .seconds(5)) {
                    try await box.counter("/reception/lostPackets") == bareDrops
                }
                let counted = try await box.answer("stats")
                #expect(isCounted, "\(value("lostPackets", counted)) of \(bareDrops)")
                #expect(value("lostToNetwork", counted) == bareDrops && value("lostBeforeRepair", counted) == bareDrops)
                print("bare: \(bareDrops) of \(bareFlows[0].received) lost; \(faults(of: counted))")
                try Peer.ffmpeg.log(test: "repair", checks: 2)
            }
        }

        /// Copies and packets that are overtaken are told apart from those that are lost.
        @Test func windowsAmongCopiesAndDisorder() async throws {
            try await TestVenue.open { venue in
                let video = try await CountedVideo.makeDense(seconds: 40, in: venue)
                let (group, channel) = (Group(), Sent("Windows", number: 1))
                try headEnd([channel.json(video, Self.repair)], announcing: group, in: venue)
                let box = try await BoxProcess(["announcements": ["groups": [group.json]]], in: venue)
                try await join("Windows", box)
                let relay = try await RelayProcess.start(
                    channel.relayed([0, 2]) + Self.gilbert + ["--duplicate", "2%", "--reorder", "2%"]
                        + ["--delay", "20ms", "--jitter", "10ms"], in: venue)
                try await awaitPlaying(box)
                try await Task.sleep(for: .seconds(4))
                let before = try await box.answer("stats")
                let worst = try await look(
                    at: video, on: box, seconds: Interop.playSeconds(usual: 8), in: venue)
                let after = try await box.answer("stats")
                let flow = try await relay.end()[0]
                #expect(faults(of: after) == faults(of: before), "seed \(Interop.seed)")
                #expect(worst >= 0.98, "SSIM, seed \(Interop.seed)")
                // What waits as the relay ends is never sent: what was let through last came before it.
                let drops = flow.drops(patience: Self.patience)
                let surely = flow.drops(patience: Self.patience + 64)
                _ = try await eventually(within: .seconds(3)) {
                    try await box.counter("/reception/lostBeforeRepair") == drops
                }
                let rest = try await box.answer("stats")
                #expect((surely...drops).contains(value("lostBeforeRepair", rest)))
                // What the first packet overtook is taken for a copy.
                let (copies, overtaken) = (value("duplicatePackets", rest), value("reorderedPackets", rest))
                #expect(abs(copies - flow.duplicated) <= 3 && abs(overtaken - flow.reordered) <= 3)
                #expect(drops > 100 && flow.duplicated > 30 && flow.reordered > 30, "the network was good")
                print(
                    "disorder: \(drops) lost, \(copies) of \(flow.duplicated) copies,"
                        + " \(overtaken) of \(flow.reordered) overtaken, worst SSIM \(worst)")
                try Peer.ffmpeg.log(test: "disorder", checks: 1)
            }
        }

        /// ST 2022-7: one path after the other is out, and nothing is missing.
        @Test func twoPathsWithOutagesInTurnLoseNothing() async throws {
            try await TestVenue.open { venue in
                let video = try await CountedVideo.makeDense(seconds: 40, in: venue)
                let (group, first, second) = (Group(), Sent("Paths", number: 1), Sent("", number: 0))
                let path = second.heard.json.merging(patch: ["via": .string(second.via), "skewMs": 50])
                try headEnd([first.json(video, ["secondPath": path])], announcing: group, in: venue)
                let box = try await BoxProcess(["announcements": ["groups": [group.json]]], in: venue)
                try await join("Paths", box)
                let others = second.relayed([0])
                let relay = try await RelayProcess.start(
                    first.relayed([0]) + ["--second-from", others[1], "--second-to", others[3]]
                        + ["--outage", "400ms", "--every", "2s"], in: venue)
                try await awaitPlaying(box)
                let worst = try await look(
                    at: video, on: box, seconds: Interop.playSeconds(usual: 6), in: venue)
                let after = try await box.answer("stats")
                let flows = try await relay.end()
                let found = faults(of: after).filter { $0.value > 0 }
                #expect(found.isEmpty, "seed \(Interop.seed)")
                #expect(worst >= 0.98, "SSIM, seed \(Interop.seed)")
                let losses = flows.map { $0.drops(patience: Self.patience) }
                _ = try await eventually(within: .seconds(3)) {
                    try await box.counters("/reception/lostByFirstPath", "/reception/lostBySecondPath") == losses
                }
                let rest = try await box.answer("stats")
                #expect([value("lostByFirstPath", rest), value("lostBySecondPath", rest)] == losses)
                #expect(losses.allSatisfy { $0 > 500 }, "\(losses)")
                print("paths: \(losses) lost of \(flows.map(\.received)), worst SSIM \(worst)")
                try Peer.ffmpeg.log(test: "paths", checks: 2)
            }
        }
    }
}
