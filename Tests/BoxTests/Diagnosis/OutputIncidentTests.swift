// SPDX-License-Identifier: Apache-2.0
import Bytes
import JSON
import Replay
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// G-56: the output of a whole box fails. What was received until then is kept and received again with the same
    /// counters, and there is a picture once the card works again.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct OutputIncidentTests {
        @Test func anOutputThatFailsIsAnIncident() throws {
            try OwnNetwork.run {
                let venue = try StagedVenue()
                defer { venue.stop() }
                let machine = try StagedMachine()
                defer { machine.remove() }
                let staged = StagedBox(nil, "its card fails", StagedBox.screen)
                let (box, hardware) = try staged.start(in: venue, on: machine.root)
                _ = try box.await("stats", within: .seconds(60)) {
                    $0.at("/stats/reception/datagrams")?.integer ?? 0 > 1_200
                }
                hardware.screen.change { $0.refusedCommits = .max }
                let listed = try box.await("incidents", within: .seconds(30)) { Self.row($0) != nil }
                let id = try #require(Self.row(listed)?["id"]?.string)
                var file: [UInt8] = []
                while true {
                    let piece = try box.answer("incident-read", id, "\(file.count)")
                    file += Base64.decode(piece["data"]?.string ?? "") ?? []
                    if piece["next"] == piece["octets"] { break }
                    try #require(piece["next"]?.integer == Int64(file.count), "\(piece.text().prefix(200))")
                }
                let replay = Replay(file, named: id)
                #expect(replay.code == 0 && replay.text.contains("kind: output"), "\(replay.text)")

                hardware.screen.change { $0.refusedCommits = 0 }
                let before = try Self.flips(box)
                _ = try box.await("stats", within: .seconds(30)) {
                    $0.at("/stats/screen/flips")?.integer ?? 0 > before + 10
                }
                #expect(box.end() == .ok)
            }
        }

        private static func row(_ listed: JSONValue) -> JSONValue? {
            listed["incidents"]?.array?.first { $0["kind"] == "output" }
        }

        private static func flips(_ box: RunningBox) throws -> Int64 {
            try box.answer("stats").at("/stats/screen/flips")?.integer ?? 0
        }
    }
}
