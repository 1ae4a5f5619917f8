// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Reports in PostgreSQL on three hosts, whose primary dies while two reporters write (Shows 3).
    @Suite(.enabled(if: Peer.python3.isThere && PostgresServer.isThere)) struct ReportClusterTests {
        private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("report_cluster.py").path

        /// The primary is killed under load (in the soak it hangs as well), and before and after that one of the reporters is. Whatever was acknowledged is
        /// there, and once; all that boxes had is there in the end; and the next commit is soon after another host takes writes.
        @Test(.timeLimit(.minutes(10)), arguments: isSoak ? ["kill", "hang"] : ["kill"])
        func aPrimaryIsKilledUnderLoad(way: String) async throws {
            try await TestVenue.open { venue in
                let seconds = isSoak ? 60 : 6
                let reporter = try Programs.path("touchline-reporter")
                let child = try await venue.succeed(
                    ["python3", "-B", Self.program, reporter, "\(seconds)", "\(seed)", way],
                    within: .seconds(90 + 2 * seconds))
                let result = try JSONValue.parse(child.outputText)
                func number(_ name: String) -> Int64 { result[name]?.integer ?? -1 }
                let told: Comment = "seed \(seed): \(result.text())"
                #expect(number("acknowledged") > 200 && number("kept") >= number("acknowledged"), told)
                for name in [
                    "missing", "doubled", "wrong", "gaps", "gapsTold", "packetsDiffer", "latestDiffer", "unfinished",
                ] { #expect(number(name) == 0, "\(name), \(told)") }
                #expect(result["problems"] == [] && number("withoutPause") == 0, told)
                // While no host takes writes, nothing is acknowledged, and each box is told when to come again. A host that
                // hangs is given up after the other has been promoted.
                #expect(number("acknowledgedBetween") == 0, told)
                if way == "kill" {
                    #expect(number("healthyWithoutPrimary") == 0 && result.at("/codes/503")?.integer ?? 0 > 0, told)
                }
                #expect((0...(way == "kill" ? 5_000 : 8_000)).contains(number("nextCommitMs")), told)
                #expect(number("standbys") == 1 && number("starts") == 1, told)
                #expect(number("restored") == number("kept"), told)
                try Peer.python3.log(test: #function, checks: Int(number("kept")))
            }
        }
    }
}
