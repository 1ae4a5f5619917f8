// SPDX-License-Identifier: Apache-2.0
import Database
import Foundation
import JSON
import Provisioning
import Testing
import Time
import Venue

@testable import Reporter
@testable import SignedEnvelopes

@Suite final class ReporterStoreTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "touchline-reporter-\(UUID()).db").path

    deinit {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }  // hurts nobody
    }

    private static func time(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }

    /// What was written is what is read, after each of the changes that a roll-out goes through.
    @Test func whatWasWrittenIsRead() throws {
        var state = DesiredState()
        let store = try ReporterStore(path)
        _ = try store.read()
        let envelope = ReporterAPITests.envelope.text()
        let order = try #require(SignedOrder(envelopeText: envelope))
        func expectKept(_ what: Comment) throws {
            let read = try ReporterStore(path).read()
            #expect(read.state.boxes == state.boxes && read.state.rollouts == state.rollouts, what)
            #expect(Set(read.envelopes.values) == (state.rollouts.isEmpty ? [] : [envelope]), what)
        }
        for number in 0..<5 {
            var report = SettingsReport()
            (report.box, report.name, report.tags) = ("box-\(number)", "'; DROP TABLE boxes; --", ["a"])
            let changed = state.reported(report, at: Self.time(1)) ?? []
            try store.write(state, box: report.box, rollouts: changed)
        }
        try expectKept("boxes")
        var terms = Rollout.Terms()
        (terms.waves, terms.mostFailures, terms.patience) = ([.boxes(2), .percent(50)], 1, .seconds(77))
        let begun = state.begin(order, tag: "t", terms, at: Self.time(2))
        try store.write(state, box: nil, rollouts: begun, envelope: envelope)
        try expectKept("begun")
        for (index, box) in state.boxes.keys.sorted().enumerated() {
            var report = SettingsReport()
            (report.box, report.order) = (box, index == 0 ? nil : 7)
            report.judged = SettingsReport.Judgement()
            report.judged?.tag = "\"t\""
            let changed = state.reported(report, at: Self.time(3)) ?? []
            try store.write(state, box: box, rollouts: changed)
            try expectKept("report of \(box)")
        }
        let stopped = state.stop("enough")
        try store.write(state, box: nil, rollouts: stopped)
        try expectKept("stopped")
        // What one reporter wrote, the next goes on with.
        let next = try ReporterStore(path)
        state = try next.read().state
        let another = state.begin(order, tag: "u", Rollout.Terms(), at: Self.time(9))
        try next.write(state, box: nil, rollouts: another, envelope: envelope)
        try expectKept("the next one")
    }

    @Test func refusesATableOfOthers() throws {
        _ = try ReporterStore(path)
        let database = try Database(path)
        try database.execute("INSERT INTO boxes VALUES ('b', 1, '{\"box\":\"c\"}')")
        #expect(throws: DatabaseError.self) { try ReporterStore(self.path).read() }
    }

    @Test func readsTheExample() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "config/reporter.example.json").path
        let read = try ReporterConfiguration(path: path)
        #expect(read.alerts.rules.map(\.name) == ["down", "lossy", "far", "silent"] && read.alerts.syslog.port == 514)
        #expect(read.alerts.webhook.url == "https://venue.example/alerts")
    }

    @Test func readsItsConfiguration() throws {
        let good = """
            {"port": 0, "database": "/tmp/x.db", "boxToken": "0123456789abcdef01234567",
             "operatorToken": "abcdef0123456789abcdef01"}
            """
        let read = try ReporterConfiguration(Array(good.utf8), of: "r.json")
        #expect(read.port == 0 && read.database == "/tmp/x.db")
        for (text, part) in [
            ("{", "line 1"),
            (good.replacing("\"port\": 0", with: "\"port\": 70000"), "/port is 70000"),
            (good.replacing("abcdef0123456789abcdef01", with: "short"), "/operatorToken"),
            (good.replacing("abcdef0123456789abcdef01", with: "0123456789abcdef01234567"), "another than /boxToken"),
            (good.replacing("\"port\"", with: "\"poort\""), "/poort"),
            (good.replacing("\"port\": 0", with: "\"rawHours\": 0"), "/rawHours is 0"),
            (
                good.replacing("\"port\": 0", with: "\"metricsToken\": \"0123456789abcdef01234567\""),
                "another than /boxToken and /operatorToken"
            ),
        ] {
            do throws(Status) {
                _ = try ReporterConfiguration(Array(text.utf8), of: "r.json")
                Issue.record("taken: \(text)")
            } catch {
                #expect(error.code == .configuration && error.errorString.contains(part), "\(error.errorString)")
            }
        }
        #expect(throws: Status.self) { try ReporterConfiguration(path: "/nonexistent") }
        let cluster = good.replacing("\"port\": 0", with: "\"postgres\": \"host=a,b dbname=x password=hidden\"")
        #expect(try ReporterConfiguration(Array(cluster.utf8), of: "r.json").postgres?.hasPrefix("host=a,b") == true)
        // What is secret stands in no message, neither a token nor an address that cannot be read.
        for text in [cluster.replacing("host=", with: "hosts="), good.replacing("01\"", with: " hidden\"")] {
            do throws(Status) {
                _ = try ReporterConfiguration(Array(text.utf8), of: "r.json")
                Issue.record("taken: \(text)")
            } catch {
                #expect(!error.errorString.contains("hidden"), "\(error.errorString)")
            }
        }
    }
}
