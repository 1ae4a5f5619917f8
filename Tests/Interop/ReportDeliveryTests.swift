// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Reports of a whole box to a reporter of Python's that misbehaves, and a box that is killed (SVM-116…118, SVM-129,
    /// SVM-131, G-10).
    @Suite(.enabled(if: Peer.python3.isThere)) struct ReportDeliveryTests {
        /// Of each start that is known whole: every sequence up to the last, however often.
        private static func expectWhole(_ reports: [JSONValue], of boot: String, through last: Int64) {
            let sequences = Set(reports.filter { $0["boot"]?.string == boot }.compactMap { $0["sequence"]?.integer })
            let missing = (1...max(1, last)).filter { !sequences.contains($0) }
            #expect(missing.isEmpty, "\(boot): \(missing) of \(last)")
        }

        /// One that was kept twice is the same both times.
        private static func expectUnique(_ reports: [JSONValue]) {
            var first: [ReportScene.Kept: JSONValue] = [:]
            for report in reports {
                let id = ReportScene.id(report)
                #expect(first[id] == nil || first[id] == report, "\(id)")
                first[id] = report
            }
        }

        @Test func eachReportArrivesWhateverTheReporterAnswers() async throws {
            try await TestVenue.open { venue in
                let scene = try await ReportScene(venue)
                try await scene.startBox()
                _ = try await scene.awaitStatus("the first is taken") { $0["acknowledged"]?.integer ?? 0 > 0 }
                _ = try await scene.awaitStatus("some are taken") { $0["successes"]?.integer ?? 0 > 2 }
                // One connection is used for all.
                #expect(Set(scene.requests.compactMap { $0["client"]?.integer }).count == 1)
                for word in ["500", "login", "half", "nothing", "lost", "busy"] {
                    try scene.answer(word)
                    let before = try scene.ask("reports")["failures"]?.integer ?? 0
                    _ = try await scene.awaitStatus(word) { $0["failures"]?.integer ?? 0 > before }
                    let status = try scene.ask("reports")
                    #expect(status["problem"]?.string?.isEmpty == false && status["pending"]?.integer ?? 0 > 0)
                    // Pauses grow with failures in a row: an answer between keeps the test short.
                    try scene.answer("ok")
                    _ = try await scene.awaitStatus("after \(word)") { $0["pending"] == 0 }
                }
                for word in ["late", "twice", "credit"] {
                    try scene.answer(word)
                    let before = try scene.ask("reports")["successes"]?.integer ?? 0
                    _ = try await scene.awaitStatus(word) { $0["successes"]?.integer ?? 0 > before }
                }
                try scene.answer("ok")
                let done = try await scene.awaitStatus("all are taken") { $0["pending"] == 0 }
                #expect(done["lost"] == 0 && done["refused"] == 0 && done["problem"] == nil)
                let reports = try scene.reports
                Self.expectUnique(reports)
                let (boot, last) = (done["boot"]?.string ?? "", done["acknowledged"]?.integer ?? 0)
                Self.expectWhole(reports, of: boot, through: last)
                Self.expectIntervals(reports)

                try scene.answer("refuse")
                let refused = try await scene.awaitStatus("some are refused") { $0["refused"]?.integer ?? 0 > 0 }
                #expect(refused["lastRefusal"] == "a multiple of 3")
                let stats = try scene.ask("stats", ["session": true])["stats"] ?? .null
                #expect(stats["statsUploadAttempts"]?.integer ?? 0 >= done["attempts"]?.integer ?? .max)
                #expect(stats["statsUploadFailures"]?.integer ?? 0 >= 6)
                let request = try #require(scene.requests.first { $0["isCompressed"] == true })
                #expect(request["authorization"] == "Bearer abc" && request["type"] == "application/x-ndjson")
                try Self.expectMembers(reports)
                try Peer.python3.log(test: #function, checks: reports.count)
            }
        }

        /// SVM-116…118: the statistics are what the reporter has counted of its own answers, while one is awaited.
        @Test func uploadsAreThoseThatTheReporterAnswered() async throws {
            try await TestVenue.open { venue in
                let scene = try await ReportScene(venue)
                try await scene.startBox()
                _ = try await scene.awaitStatus("some are taken") { $0["successes"]?.integer ?? 0 >= 2 }
                for word in ["500", "login", "busy"] {
                    try scene.answer(word)
                    let before = try scene.ask("reports")["failures"]?.integer ?? 0
                    _ = try await scene.awaitStatus(word) { $0["failures"]?.integer ?? 0 > before }
                    try scene.answer("ok")
                    _ = try await scene.awaitStatus("after \(word)") { $0["pending"] == 0 }
                }
                try scene.answer("refuse")
                _ = try await scene.awaitStatus("some are refused") { $0["refused"]?.integer ?? 0 > 0 }
                // For 3 s neither the box nor the reporter does anything.
                try scene.answer("late")
                var modes: [String] = []
                let isHeld = try await eventually(within: .seconds(20)) {
                    modes = scene.requests.compactMap { $0["mode"]?.string }
                    return modes.contains("late")
                }
                #expect(isHeld && modes.filter { $0 == "late" }.count == 1)
                let stats = try scene.ask("stats", ["session": true])["stats"] ?? .null
                let failing: Set<String> = ["500", "login", "busy"]
                let failed = Int64(modes.filter { failing.contains($0) }.count)
                let attempts = Int64(modes.count)
                #expect(failed >= 3 && attempts > failed + 6)
                #expect(stats["statsUploadAttempts"] == .integer(attempts), "\(modes)")
                #expect(stats["statsUploadFailures"] == .integer(failed), "\(modes)")
                #expect(stats["statsUploadSuccesses"] == .integer(attempts - failed - 1), "\(modes)")
                try Peer.python3.log(test: #function, checks: modes.count)
            }
        }

        /// The time that reports cover is the time of the box, without a gap and without an overlap.
        private static func expectIntervals(_ reports: [JSONValue]) {
            let all = reports.filter { $0["kind"] == "state" }.map { ($0["sequence"]?.integer ?? 0, $0) }
            let states = Dictionary(all, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }.map(\.value)
            #expect(states.count > 5)
            for (before, after) in zip(states, states.dropFirst()) {
                let passed = (after["monotonicMs"]?.integer ?? 0) - (before["monotonicMs"]?.integer ?? 0)
                #expect(abs(passed - (after["coversMs"]?.integer ?? 0)) <= 1)
            }
        }

        private static func expectMembers(_ reports: [JSONValue]) throws {
            let state = try #require(reports.first { $0["kind"] == "state" })
            #expect(state.at("/identity/name") == "Interop" && state["tags"] == ["vip"])
            #expect(state["dimensions"] == ["suite 12"] && state["sessions"] == [])
            #expect(state.at("/service/state")?.string != nil)
            #expect(state.at("/statistics/controlLoop/0/labels") == [:])
            let events = reports.flatMap { $0["events"]?.array ?? [] }.compactMap { $0["type"]?.string }
            #expect(events.contains("service.state"), "\(events)")
        }

        /// What was written before the kill is sent after it, under its own numbers.
        @Test func killingTheBoxLosesNothing() async throws {
            try await TestVenue.open { venue in
                let scene = try await ReportScene(venue)
                try scene.answer("500")
                var boots: [(boot: String, last: Int64)] = []
                for _ in 0..<3 {
                    try await scene.startBox()
                    _ = try await scene.awaitStatus("some wait") { _ in
                        let written = (try? scene.ask("stats"))?.at("/stats/reports/reportsAppended")?.integer ?? 0
                        return written >= 3
                    }
                    let (status, stats) = (try scene.ask("reports"), try scene.ask("stats"))
                    let appended = stats.at("/stats/reports/reportsAppended")?.integer ?? 0
                    let unwritten = stats.at("/stats/reports/reportsUnwritten")?.integer ?? 0
                    boots.append((status["boot"]?.string ?? "", appended - unwritten))
                    try await scene.killBox()
                }
                #expect(Set(boots.map(\.boot)).count == 3)
                try scene.answer("ok")
                try await scene.startBox()
                // Before the box has read its spool there is no start, and nothing that waits.
                let done = try await scene.awaitStatus("the backlog is taken") {
                    $0["boot"] != nil && $0["pending"] == 0
                }
                #expect(done["lost"] == 0)
                let reports = try scene.reports
                Self.expectUnique(reports)
                for (boot, last) in boots { Self.expectWhole(reports, of: boot, through: last) }
                // A box that reports to nobody keeps nothing more.
                _ = try scene.ask("config-reset", ["path": "reports.url"])
                let off = try await scene.awaitStatus("it is off") { $0["boot"] == nil }
                #expect(off["url"] == nil)
            }
        }
    }
}
