// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// "Shows 5": `/metrics` is read by Prometheus' own parser, and reading it costs no picture.
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.prometheus.isThere)) struct MetricsTests {
        private static let seconds = 6

        /// Of the pictures of a box, since it began.
        private struct Pictures {
            let presented: Int64
            let lost: Int64

            init(_ box: BoxProcess) async throws {
                let counted = try await box.counters(
                    "/stage/picturesPresented", "/stage/picturesLate", "/stage/picturesDelayed",
                    "/session/droppedPictures", "/stage/starvations")
                presented = counted[0]
                lost = counted[1...].reduce(0, +)
            }
        }

        private func look(
            at url: String, seconds: Int, pause: Double, in venue: TestVenue
        ) async throws -> JSONValue {
            let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("metrics.py").path
            let child = try await venue.succeed(
                [Peer.prometheus.path, program, url, "\(seconds)", "\(pause)"], within: .seconds(120))
            return try JSONValue.parse(Array(child.output))
        }

        /// Counters of `stats` by their groups: those that the description calls so.
        private func counters(_ description: JSONValue) -> [(name: String, unit: String, help: String)] {
            guard let members = description.object else { return [] }
            if let kind = description["kind"]?.string {
                let (unit, help) = (description["unit"]?.string ?? "", description["help"]?.string ?? "")
                return kind == "counter" ? [("", unit, help)] : []
            }
            return members.flatMap { name, member in
                counters(member).map { (name + ($0.name.isEmpty ? "" : "." + $0.name), $0.unit, $0.help) }
            }
        }

        @Test func prometheusReadsThemAndNoPictureIsLost() async throws {
            try await TestVenue.open { venue in
                let target = StreamTarget()
                let box = try await BoxProcess(["channels": [target.json]], in: venue)
                try await LiveCounter.start(to: target, in: venue)
                try await box.tune("One")
                let port = try await box.answer("status")["httpPort"]?.integer ?? 0
                let url = "http://127.0.0.1:\(port)/metrics"
                try await Task.sleep(for: .seconds(2))

                // A span without anybody who collects, and one with. Who shares the machine loses pictures of either now and
                // then; who collects would lose them each time.
                var (found, before, presented) = (JSONValue.null, Int64(0), Int64(0))
                var lost: [(alone: Int64, collected: Int64)] = []
                repeat {
                    let first = try await Pictures(box)
                    try await Task.sleep(for: .seconds(Self.seconds))
                    let second = try await Pictures(box)
                    found = try await look(at: url, seconds: Self.seconds, pause: 0.05, in: venue)
                    let third = try await Pictures(box)
                    (before, presented) = (second.presented, third.presented - second.presented)
                    lost.append((second.lost - first.lost, third.lost - second.lost))
                } while lost.count < 3 && lost.allSatisfy { $0.collected > $0.alone }
                let (looks, slowest) = (found["looks"]?.integer ?? 0, found["slowestMs"]?.integer ?? .max)
                print("metrics: \(looks) looks, slowest \(slowest) ms; lost \(lost)")
                #expect(looks >= 20)
                #expect(lost.contains { $0.collected <= $0.alone }, "\(lost)")
                #expect(presented >= Int64(Self.seconds * CountedVideo.rate * 9 / 10))

                #expect(found["contentType"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
                let families = found["families"]?.object ?? [:]
                #expect(families.count > 150)
                for (name, family) in families {
                    #expect(family["help"]?.string?.isEmpty == false, "\(name)")
                    #expect(family["type"] != "counter" || family["unit"]?.string?.isEmpty == false, "\(name)")
                }
                let stages = families["touchline_stage_pictures_presented_pictures"]?["samples"]?.array ?? []
                #expect(stages.first?.array?[2].number.map { $0 >= Double(before) } == true)
                let received = families["touchline_reception_bytes"]?["samples"]?.array?.first?.array?[1]
                #expect(received?["region"] == "main" && received?["session"] != nil)
                #expect(families["touchline_control_loop_turn_seconds"]?["type"] == "histogram")

                let described = counters(try await box.answer("stats", "--describe")["stats"] ?? [:])
                #expect(described.count > 120)
                for counter in described { #expect(!counter.unit.isEmpty && !counter.help.isEmpty, "\(counter.name)") }
                try Peer.prometheus.log(test: "prometheusReadsThemAndNoPictureIsLost", checks: Int(looks))
            }
        }
    }
}
