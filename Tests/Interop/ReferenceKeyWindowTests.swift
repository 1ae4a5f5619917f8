// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// What a whole box counts under the reference's names is what the sender's ledger says, and is not 0.
    @Suite(.enabled(if: Peer.ffmpeg.isThere)) struct ReferenceKeyWindowTests {
        /// Packets that are removed from datagrams, seldom enough that each is missed by itself.
        private final class Ledger: @unchecked Sendable {
            // Sendable: all are touched under `lock` only.
            private let lock = NSLock()
            private var datagrams = 0
            private var due = 0
            private var packets: Int64 = 0

            var total: Int64 { lock.withLock { packets } }

            func datagramBegins() { lock.withLock { datagrams += 1 } }

            /// - Returns: whether the packet is to be removed.
            func removesPacket() -> Bool {
                lock.withLock {
                    guard datagrams >= due else { return false }
                    due = datagrams + 20
                    packets += 1
                    return true
                }
            }
        }

        /// Values of `stats --session`, of these names.
        private func session(_ box: BoxProcess, _ names: some Collection<String>) async throws -> [String: Int64] {
            let stats = try await box.answer("stats", "--session")
            let values = names.map { ($0, stats.at("/stats/\($0)")?.integer ?? -1) }
            return Dictionary(uniqueKeysWithValues: values)
        }

        /// Waits until the values are these. What waits for repair is counted when it is given up.
        private func expect(_ wanted: [String: Int64], of box: BoxProcess) async throws {
            _ = try await eventually(within: .seconds(10)) { try await session(box, wanted.keys) == wanted }
            let found = try await session(box, wanted.keys)
            #expect(found == wanted, "seed \(Interop.seed)")
        }

        /// Joins a channel of which nothing comes yet, so that the first packet is heard.
        private func join(_ name: String, _ box: BoxProcess) async throws {
            _ = try await box.answer("tune", name)
            let isJoined = try await eventually(within: .seconds(5)) {
                try await box.counter("/reception/datagrams") == 0
            }
            guard isJoined else { throw VenueError("\(name) is not joined: \(try await box.answer("stats"))") }
            try await Task.sleep(for: .milliseconds(300))
        }

        // MARK: Windows

        /// The first window and the last are whole: what comes before them and behind them is not known to a box.
        private static func plan(_ random: inout SplitMix64) -> [PlannedWindow] {
            let whole = PlannedWindow(sources: 20)
            var windows = [PlannedWindow](repeating: whole, count: 10)
            // As many repair packets came as packets are lost, or more.
            windows += (1...6).map { PlannedWindow(sources: 20, lost: $0) }
            windows.append(PlannedWindow(sources: 20, lost: 4, lostRepairs: 2))
            // One too few; of the third none.
            windows.append(PlannedWindow(sources: 20, lost: 7))
            windows.append(PlannedWindow(sources: 20, lost: 4, lostRepairs: 3))
            windows.append(PlannedWindow(sources: 20, lost: 1, lostRepairs: 6))
            // As large as is recommended, and larger.
            windows.append(PlannedWindow(sources: 162))
            windows.append(PlannedWindow(sources: 163))
            windows.append(PlannedWindow(sources: 163, lost: 5))
            windows.append(PlannedWindow(sources: 170, lost: 7))
            // Larger than is supported.
            windows.append(PlannedWindow(sources: 171))
            windows.append(PlannedWindow(sources: 200, lost: 3))
            return [whole] + windows.shuffled(using: &random) + [whole]
        }

        private static func ledger(_ plan: [PlannedWindow]) -> [String: Int64] {
            func count(_ outcome: PlannedWindow.Outcome) -> Int64 { Int64(plan.count { $0.outcome == outcome }) }
            return [
                "protection_windows": Int64(plan.count), "window_no_loss": count(.withoutLoss),
                "window_recovery_successes": count(.repaired), "window_recovery_failures": count(.failed),
                "window_error": count(.refused), "window_warning": Int64(plan.count { $0.isOversized }),
            ]
        }

        /// SVM-113, 121…125; and SVM-101 and 102 of the channel on which they are.
        @Test func windowsAreCountedAsThePlanHasThem() async throws {
            try await TestVenue.open { venue in
                let (announcements, group, other) = (Group(), Group(), Group())
                let file = try TransportStreamFile(try await CountedVideo.make(in: venue))
                let box = try await BoxProcess(["announcements": ["groups": [announcements.json]]], in: venue)
                let announcer = try DatagramSender(to: announcements)
                try announcer.send(
                    WindowedSender.announcement(
                        "Windows", session: 4_711, title: "Match day", of: group, isProtected: true))
                try announcer.send(
                    WindowedSender.announcement(
                        "Other", session: 12, title: "Training", of: other, isProtected: false))
                try await box.awaitChannel("Windows")
                try await box.awaitChannel("Other")
                try await join("Windows", box)

                var random = SplitMix64(seed: Interop.seed)
                let plan = Self.plan(&random)
                let ledger = Self.ledger(plan)
                #expect(ledger.values.allSatisfy { $0 > 0 })
                #expect(ledger["protection_windows"] == 28 && ledger["window_no_loss"] == 14)
                #expect(ledger["window_recovery_successes"] == 8 && ledger["window_recovery_failures"] == 4)
                #expect(ledger["window_error"] == 2 && ledger["window_warning"] == 5)
                var sender = try WindowedSender(file, to: group)
                try await sender.send(plan, random: &random)
                try await expect(ledger, of: box)

                // What of them is made good is played, and the rest is lost.
                func lost(_ isRepaired: Bool) -> Int64 {
                    Int64(plan.filter { ($0.outcome == .repaired) == isRepaired }.reduce(0) { $0 + $1.lost })
                }
                let wanted = [lost(true), lost(false)]
                var losses: [Int64] = []
                _ = try await eventually(within: .seconds(10)) {
                    let counts = try await box.counters(
                        "/reception/recoveredPackets", "/reception/needlessRecoveries", "/reception/lostPackets")
                    losses = [counts[0] - counts[1], counts[2]]
                    return losses == wanted
                }
                #expect(losses == wanted, "seed \(Interop.seed)")
                let isShown = try await eventually(within: .seconds(10)) {
                    try await box.counter("/stage/picturesPresented") > 25
                }
                #expect(isShown)

                try await expectSession(4_711, "Match day", of: box)
                _ = try await box.answer("tune", "Other")
                try await expectSession(12, "Training", of: box)
                try Peer.ffmpeg.log(test: #function, checks: 6)
            }
        }

        private func expectSession(_ number: Int64, _ title: String, of box: BoxProcess) async throws {
            var stats: JSONValue = [:]
            _ = try await eventually(within: .seconds(5)) {
                stats = try await box.answer("stats", "--session")
                return stats.at("/stats/announcement_session_id")?.integer == number
            }
            #expect(stats.at("/stats/announcement_session_id")?.integer == number)
            #expect(stats.at("/stats/announcement_session_title")?.string == title)
        }

        // MARK: The stream

        /// SVM-112: packets of the video that became stuffing on the way, one here and one there.
        @Test func discontinuitiesAreThePacketsThatAreMissing() async throws {
            try await TestVenue.open { venue in
                let scene = try await BadInputScene(in: venue)
                try await expect(["num_ts_discontinuities": 0], of: scene.box)
                let ledger = Ledger()
                _ = try await scene.sender.damage(200) { datagram in
                    ledger.datagramBegins()
                    var result = Array(datagram[..<12])
                    for start in stride(from: 12, to: datagram.count, by: 188) {
                        let packet = TransportPacket(octets: Array(datagram[start..<start + 188]))
                        let isRemoved = packet.pid == 0x100 && packet.hasPayload && ledger.removesPacket()
                        result += isRemoved ? TransportPacket.null.octets : packet.octets
                    }
                    return result
                }
                #expect(ledger.total > 5)
                try await expect(["num_ts_discontinuities": ledger.total], of: scene.box)
            }
        }

        /// SVM-119: a film that is sent once, up to the packet that begins its ninth second. Only that packet says that
        /// the picture before it is whole.
        @Test func octetsOfVideoAreThoseOfItsPictures() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let video = try await CountedVideo.make(in: venue)
                let file = try TransportStreamFile(video)
                let pictures = try await pictures(of: video, in: venue)
                let ninth = pictures.indices.filter { pictures[$0].isEntry }.dropFirst(8).first
                let count = try #require(ninth)
                let ledger = pictures[..<count].reduce(0) { $0 + $1.octets }
                #expect(count == 8 * CountedVideo.rate && ledger > 100_000, "\(count) pictures, \(ledger) octets")

                let box = try await BoxProcess(["channels": .array([target.json])], in: venue)
                try await join(target.name, box)
                var sender = try WindowedSender(file, to: target.group)
                try await sender.send(through: file.entries[8].packet)
                try await expect(["total_num_bytes_written": ledger, "num_ts_discontinuities": 0], of: box)
                let units = try await box.counters(
                    "/playback/unitsSkipped", "/playback/unitsLeftOut", "/playback/decodeErrors")
                #expect(units == [0, 0, 0])
                try Peer.ffmpeg.log(test: #function, checks: 1)
            }
        }

        /// What ffprobe finds in the video, in the order of decoding.
        private func pictures(
            of video: CountedVideo, in venue: TestVenue
        ) async throws -> [(octets: Int64, isEntry: Bool)] {
            let probe = try await venue.succeed([
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size,flags", "-of",
                "csv=p=0", video.path,
            ])
            return probe.outputText.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: ",")
                guard fields.count >= 2, let octets = Int64(fields[0]) else { return nil }
                return (octets, fields[1].hasPrefix("K"))
            }
        }
    }
}
