// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Alerts of a whole reporter: a webhook of Python's HTTP server checks signatures with Python's hmac, and a socket takes
    /// syslog.
    @Suite(.enabled(if: Peer.curl.isThere)) struct AlertTests {
        private static let boot = "0000000a-0123456789abcdef"
        private static let secret = "webhook-secret-0123456789abcdef"
        private static let token = "webhook-token-0123456789abcdef"

        private final class Scene {
            let venue: TestVenue
            let reporter: ReporterScene
            private var sequence: Int64 = 0

            init(_ venue: TestVenue, rules: JSONValue) throws {
                self.venue = venue
                reporter = ReporterScene(venue)
                let (port, syslog) = (Int64.random(in: 30_000...34_999), Int64.random(in: 35_000...39_999))
                reporter.alerts = [
                    "rules": rules, "gatherS": 0, "mostAtOnce": 3,
                    "webhook": [
                        "url": .string("http://127.0.0.1:\(port)/alerts"), "secret": .string(secret),
                        "token": .string(token),
                    ], "syslog": ["collector": "127.0.0.1", "port": .integer(syslog)],
                ]
                try venue.directory.write("busy", to: "mode")
                try venue.directory.write("", to: "told")
                let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("alert_receiver.py").path
                _ = try venue.start(
                    [
                        "python3", program, "\(port)", "\(syslog)", secret, token, venue.directory.file("mode"),
                        venue.directory.file("told"),
                    ], name: "receiver")
            }

            func send(_ box: String, state: String, to other: ReporterScene? = nil) async throws {
                sequence += 1
                let report: JSONValue = [
                    "report": 1, "box": .string(box), "boot": .string(boot), "sequence": .integer(sequence),
                    "kind": "state", "monotonicMs": 1, "coversMs": 10_000, "identity": ["name": "Bar"],
                    "service": ["state": .string(state)],
                ]
                let path = try venue.directory.write(report.text() + "\n", to: "report-\(sequence)")
                let answer = try await (other ?? reporter).curl(
                    "boxes/\(box)/reports", ReporterScene.boxToken,
                    ["--data-binary", "@\(path)", "-H", "Content-Type: application/x-ndjson"])
                #expect(answer.code == 200)
            }

            func told() throws -> [JSONValue] {
                try String(contentsOfFile: venue.directory.file("told"), encoding: .utf8).split(separator: "\n").map {
                    try JSONValue.parse(String($0))
                }
            }

            func posts(isBusy: Bool = false) throws -> [JSONValue] {
                try told().filter { $0["isBusy"] == .bool(isBusy) }
            }

            /// Messages that were taken, each once: one that was told and not noted when the reporter was killed comes again,
            /// with the same key.
            func keys() throws -> [String] {
                try posts().compactMap { $0["key"]?.string }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            }

            /// Waits until the database has no message left that is to be told: none comes again after a kill.
            func awaitNoted() async throws {
                let script = """
                    import sqlite3, sys
                    base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
                    print(base.execute("SELECT count(*) FROM alertMessages").fetchone()[0])
                    """
                let isNoted = try await eventually(within: .seconds(10)) {
                    try await venue.succeed(["python3", "-c", script, reporter.database]).outputText == "0\n"
                }
                #expect(isNoted)
            }

            func alerts(_ state: String) async throws -> [JSONValue] {
                try await reporter.curl("alerts?state=\(state)").document["alerts"]?.array ?? []
            }
        }

        @Test func aKillBetweenOpeningAndTellingLosesNothing() async throws {
            try await TestVenue.open { venue in
                let scene = try Scene(venue, rules: [["name": "down", "kind": "state", "severity": "error"]])
                try await scene.reporter.start()
                try await scene.send("box-1", state: "down")
                let isRefused = try await eventually(within: .seconds(15)) { try !scene.posts(isBusy: true).isEmpty }
                #expect(isRefused, "the webhook was tried")
                let open = try await scene.alerts("open")
                #expect(open.count == 1 && open.first?["box"] == "box-1" && open.first?["measured"] == "down")
                try await scene.reporter.kill()

                try venue.directory.write("ok", to: "mode")
                try await scene.reporter.start()
                let isTold = try await eventually(within: .seconds(20)) { try !scene.posts().isEmpty }
                #expect(isTold)
                let post = try #require(try scene.posts().first)
                #expect(post["alert"] == open.first && post["isSigned"] == true && post["isKnown"] == true)
                let id = open.first?["id"]?.string ?? ""
                #expect(post["key"] == .string("\(id)-opened") && post["type"] == "application/json")

                // Another kill, and nothing is told again.
                try await scene.awaitNoted()
                try await scene.reporter.kill()
                try await scene.reporter.start()
                try await Task.sleep(for: .seconds(5))
                #expect(try scene.posts().count == 1)
                #expect(try await scene.alerts("open") == open)

                try await scene.send("box-1", state: "up")
                let isEnded = try await eventually(within: .seconds(15)) { try scene.posts().count == 2 }
                #expect(isEnded)
                #expect(try scene.posts().last?["key"] == .string("\(id)-ended"))
                #expect(try scene.posts().last?.at("/alert/until")?.string != nil)
                #expect(try await scene.alerts("open").isEmpty)
                #expect(try await scene.alerts("ended").first?["id"] == .string(id))

                let lines = try scene.told().compactMap { $0["syslog"]?.string }
                #expect(lines.contains { $0.hasPrefix("<27>1 ") && $0.contains(" touchline-reporter - alert - ") })
                #expect(lines.contains { $0.hasPrefix("<29>1 ") && $0.contains("alert-ended") && $0.contains(id) })
            }
        }

        @Test func manySilentBoxesAreOneAlert() async throws {
            try await TestVenue.open { venue in
                let scene = try Scene(venue, rules: [["name": "silent", "kind": "silence", "limit": 8]])
                try venue.directory.write("ok", to: "mode")
                try await scene.reporter.start()
                for number in 0..<12 { try await scene.send("box-\(number)", state: "up") }
                let isTold = try await eventually(within: .seconds(40)) { try !scene.posts().isEmpty }
                #expect(isTold)
                try await Task.sleep(for: .seconds(4))
                let posts = try scene.posts()
                #expect(posts.count == 1 && posts.first?.at("/alert/box") == nil)
                #expect(posts.first?.at("/alert/kind") == "silence")
                let boxes = try await scene.alerts("open").first?["boxes"]?.integer
                #expect(boxes == 12)
                for number in 0..<12 { try await scene.send("box-\(number)", state: "up") }
                let isEnded = try await eventually(within: .seconds(60)) { try scene.posts().count == 2 }
                #expect(isEnded)
            }
        }

        /// Two reporters with one PostgreSQL: each alert is told, and whichever of them is killed, the other goes on.
        @Test(.enabled(if: PostgresServer.isThere)) func oneOfTwoReportersTells() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let server = try PostgresServer()
                let address = try server.makeDatabase()
                let scene = try Scene(venue, rules: [["name": "down", "kind": "state", "severity": "error"]])
                let other = ReporterScene(venue, named: "other")
                other.alerts = scene.reporter.alerts
                try await scene.reporter.start(postgres: address)
                try await other.start(postgres: address)
                func awaitPosts(_ count: Int, _ about: String) async throws {
                    let isTold = try await eventually(within: .seconds(30)) { try scene.keys().count == count }
                    let keys = try scene.keys()
                    #expect(isTold, "\(about): \(keys)")
                }
                try venue.directory.write("ok", to: "mode")
                try await scene.send("box-1", state: "down")
                try await awaitPosts(1, "the first alert")
                // The other one does not tell it as well.
                try await Task.sleep(for: .seconds(3))
                #expect(try scene.posts().count == 1)

                try venue.directory.write("busy", to: "mode")
                try await scene.send("box-2", state: "down", to: other)
                let isRefused = try await eventually(within: .seconds(15)) { try !scene.posts(isBusy: true).isEmpty }
                #expect(isRefused, "the webhook was tried")
                try await scene.reporter.kill()
                try venue.directory.write("ok", to: "mode")
                try await awaitPosts(2, "one reporter was killed")
                try await scene.send("box-1", state: "up", to: other)
                try await awaitPosts(3, "the other goes on")

                try await scene.reporter.start(postgres: address)
                try await other.kill()
                try await scene.send("box-2", state: "up")
                try await awaitPosts(4, "the first has come back, and the other was killed")
                #expect(try scene.keys().count(where: { $0.hasSuffix("-ended") }) == 2)
                try await Task.sleep(for: .seconds(5))
                #expect(try scene.keys().count == 4)
                #expect(try await scene.alerts("open").isEmpty)
            }
        }

        @Test func wrongRulesAreNamed() async throws {
            try await TestVenue.open { venue in
                let scene = ReporterScene(venue)
                scene.alerts = [
                    "rules": [["name": "far", "kind": "signal", "limit": 5]],
                    "webhook": ["url": "http://venue.example/x", "token": .string(Self.token)],
                ]
                try scene.configure()
                let child = try await venue.run([
                    try Programs.path("touchline-reporter"), "--config", scene.configuration, "--check",
                ])
                #expect(child.messages.contains("/alerts/rules/0/limit is 5; expected dBm, -120...-1"))
                #expect(child.messages.contains("/alerts/webhook/url"))
                #expect(!child.messages.contains(Self.token))
            }
        }

        /// What `/metrics` of a reporter has, Prometheus' own parser reads.
        @Test(.enabled(if: Peer.prometheus.isThere)) func prometheusReadsTheReporter() async throws {
            try await TestVenue.open { venue in
                let scene = try Scene(venue, rules: [["name": "down", "kind": "state"]])
                try await scene.reporter.start()
                try await scene.send("box-1", state: "down")
                let isOpen = try await eventually(within: .seconds(15)) { try await !scene.alerts("open").isEmpty }
                #expect(isOpen)
                let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("metrics.py").path
                let child = try await venue.succeed(
                    [
                        Peer.prometheus.path, program, "\(scene.reporter.url)/metrics", "3", "0.5",
                        ReporterScene.metricsToken,
                    ], within: .seconds(60))
                let look = try JSONValue.parse(Array(child.output))
                #expect(look["contentType"]?.string?.hasPrefix("application/openmetrics-text; version=1.0.0") == true)
                let families = look["families"]?.object ?? [:]
                func value(_ name: String) -> JSONValue? {
                    families.values.flatMap { $0["samples"]?.array ?? [] }.first { $0.array?.first == .string(name) }?
                        .array?.last
                }
                #expect(value("touchline_reporter_alerts_opened_alerts_total")?.number == 1)
                #expect(value("touchline_reporter_store_kept_reports_total")?.number == 1)
                for (name, family) in families {
                    #expect(
                        name.hasPrefix("touchline_reporter_") && family["help"]?.string?.isEmpty == false, "\(name)")
                }
            }
        }
    }
}
