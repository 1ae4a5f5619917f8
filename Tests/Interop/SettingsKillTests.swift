// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Interop {
    /// The service killed while its settings change: `TOUCHLINE_KILLS` times.
    @Suite struct SettingsKillTests {
        private static let usual = 30
        private static let kills =
            ProcessInfo.processInfo.environment["TOUCHLINE_KILLS"].flatMap(Int.init) ?? usual
        /// The most kills of one venue, which keeps the output of all its programs open until its end.
        private static let most = 50

        /// SVM-12, SVM-21: killed at any moment while settings are changed, confirmed or taken back, the service starts
        /// with the last confirmed document of which it has told, or with one that was about to be confirmed, and with the
        /// whole of it. Its history can be read, and the numbers of revisions only rise.
        @Test func aKilledServiceHasAConfirmedDocument() async throws {
            var answered = 0
            for first in stride(from: 0, to: Self.kills, by: Self.most) {
                let seed = Interop.seed &+ UInt64(first)
                try await TestVenue.open { venue in
                    let run = try SettingsKillRun(in: venue, seed: seed)
                    let moments = SettingsKillRun.Moment.allCases
                    var place = ""
                    do {
                        for number in first..<min(first + Self.most, Self.kills) {
                            place = "seed \(Interop.seed), after kill \(number)"
                            try await run.kill(during: moments[number % moments.count], place)
                        }
                        try await run.end(place + ", the last one")
                    } catch {
                        throw VenueError("\(place): \(error)")
                    }
                    answered += run.answered
                }
            }
            print("kills: \(Self.kills), of which \(answered) came after the answer")
            // Else no kill, or each, would come within the request.
            if Self.kills >= Self.usual { #expect((1..<Self.kills).contains(answered), "seed \(Interop.seed)") }
        }
    }
}
