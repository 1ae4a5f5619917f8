// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A real Prometheus collects from a box and from its reporter, with the files that come with the product ("Shows 5").
    @Suite(
        .enabled(if: Peer.prometheusServer.isThere && Peer.promtool.isThere && Peer.curl.isThere && Peer.ffmpeg.isThere)
    )
    struct PrometheusTests {
        /// A Prometheus of its own.
        private struct Server {
            private let venue: TestVenue
            private let url: String

            /// - Parameter targets: port of each job's target.
            init(_ targets: [String: Int64], in venue: TestVenue) throws {
                self.venue = venue
                let port = Int.random(in: 30_000...39_999)
                url = "http://127.0.0.1:\(port)"
                // The product's own file, with the places of this test.
                var text = try PrometheusTests.file("prometheus.yml")
                text = text.replacingOccurrences(of: "scrape_interval: 10s", with: "scrape_interval: 1s")
                text = text.replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(targets["box"] ?? 0)")
                text = text.replacingOccurrences(of: "127.0.0.1:8090", with: "127.0.0.1:\(targets["reporter"] ?? 0)")
                try venue.directory.write(text, to: "prometheus.yml")
                try venue.directory.write(try PrometheusTests.file("touchline.rules.yml"), to: "touchline.rules.yml")
                try venue.directory.write(ReporterScene.metricsToken, to: "reporter-metrics-token")
                _ = try venue.start(
                    [
                        Peer.prometheusServer.path, "--config.file=\(venue.directory.file("prometheus.yml"))",
                        "--storage.tsdb.path=\(venue.directory.file("prometheus"))",
                        "--web.listen-address=127.0.0.1:\(port)", "--log.level=warn",
                    ], name: "prometheus")
            }

            func ask(_ path: String, _ query: String? = nil) async throws -> JSONValue? {
                var words = ["curl", "-s", "-G", "\(url)/api/v1/\(path)"]
                if let query { words += ["--data-urlencode", "query=\(query)"] }
                let answer = try await venue.run(words).outputText
                return (try? JSONValue.parse(answer))?["data"]  // it may not have started
            }

            /// The values of an instant, by job.
            func values(_ query: String) async throws -> [String: Double] {
                var values: [String: Double] = [:]
                for row in try await ask("query", query)?["result"]?.array ?? [] {
                    guard let job = row.at("/metric/job")?.string else { continue }
                    values[job] = row.at("/value/1")?.string.flatMap(Double.init)
                }
                return values
            }
        }

        private static func file(_ name: String) throws -> String {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return String(
                decoding: try Data(contentsOf: root.appendingPathComponent("config/prometheus/\(name)")), as: UTF8.self)
        }

        /// Names of our series in a text.
        private static func names(in text: String) -> Set<String> {
            Set(
                text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
                    .filter { $0.hasPrefix("touchline_") })
        }

        @Test func aServerCollectsFromBothEnds() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = ReporterScene(venue)
                try await scene.start()
                let target = StreamTarget()
                let settings: JSONValue = [
                    "channels": [target.json],
                    "reports": [
                        "url": .string("\(scene.url)/v1/boxes/{box}/reports"), "token": .string(ReporterScene.boxToken),
                        "intervalS": 1,
                    ],
                ]
                let box = try await BoxProcess(settings, state: venue.directory.file("state"), in: venue)
                try await LiveCounter.start(to: target, in: venue)
                try await box.tune("One")
                let port = try await box.answer("status")["httpPort"]?.integer ?? 0
                let reporterPort = Int64(scene.url.split(separator: ":").last ?? "") ?? 0
                let server = try Server(["box": port, "reporter": reporterPort], in: venue)
                let isUp = try await eventually(within: .seconds(30)) {
                    try await server.values("up").count == 2
                }
                #expect(isUp)
                // Ten minutes by TOUCHLINE_EFFORT=60.
                let seconds = Int(Effort.seeds(10).upperBound)
                try await Task.sleep(for: .seconds(seconds))
                let span = "\(seconds)s"
                #expect(
                    try await server.values("min_over_time(up[\(span)])")
                        == ["touchline-box": 1, "touchline-reporter": 1])
                let samples = try await server.values("scrape_samples_scraped")
                #expect((samples["touchline-box"] ?? 0) > 200, "\(samples)")
                #expect((samples["touchline-reporter"] ?? 0) > 40, "\(samples)")
                let kept = try await server.values("rate(touchline_reporter_store_kept_reports_total[\(span)])")
                #expect((0.5...3).contains(kept["touchline-reporter"] ?? 0), "\(kept)")
                // Each alert is understood, and none is raised where all is well.
                let rules = try await server.ask("rules")?["groups"]?.array ?? []
                let alerts = rules.flatMap { $0["rules"]?.array ?? [] }
                #expect(alerts.count >= 8 && alerts.allSatisfy { $0["health"] != "err" && $0["state"] != "firing" })
                // Whatever rules and dashboard name is there, but for radios and wires, which this network has not.
                let known = Set(
                    try await server.ask("label/__name__/values")?.array?.compactMap(\.string) ?? [])
                for name in try Self.names(in: Self.file("touchline.rules.yml") + Self.file("dashboard.json")) {
                    guard !["touchline_wifi_", "touchline_interface_"].contains(where: name.hasPrefix) else { continue }
                    #expect(known.contains(name), "\(name)")
                }
                try Peer.prometheusServer.log(test: "collects", checks: 6)
            }
        }

        @Test func theFilesAreWhatPrometheusTakes() async throws {
            try await TestVenue.open { venue in
                for name in ["prometheus.yml", "touchline.rules.yml"] {
                    try venue.directory.write(try Self.file(name), to: name)
                }
                try venue.directory.write("token", to: "reporter-metrics-token")
                let config = venue.directory.file("prometheus.yml")
                _ = try await venue.succeed([Peer.promtool.path, "check", "config", config])
                let rules = venue.directory.file("touchline.rules.yml")
                _ = try await venue.succeed([Peer.promtool.path, "check", "rules", rules])
                let panels = try JSONValue.parse(try Self.file("dashboard.json"))["panels"]?.array ?? []
                #expect(panels.count >= 10)
                #expect(panels.allSatisfy { $0["targets"]?.array?.isEmpty == false })
                try Peer.promtool.log(test: "files", checks: 3)
            }
        }
    }
}
