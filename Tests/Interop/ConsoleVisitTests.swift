// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A technician's visit at the serial line (G-12): every page, whatever is broken, and whatever the line brings.
    @Suite struct ConsoleVisitTests {
        /// Octets that a line of 9,600 baud brings in two seconds.
        private static let twoSeconds = 1_920
        private static let secret = "a-secret-of-the-push-server"

        private static func command(_ box: BoxProcess) throws -> [String] {
            [try Programs.path("touchline"), "--socket", box.socket, "console"]
        }

        /// Types lines, each after the answer to the one before.
        private static func visit(
            _ box: BoxProcess, _ lines: [String], in venue: TestVenue
        ) async throws -> TerminalProgram {
            let steps = lines.flatMap { [TerminalProgram.Step.type($0 + "\r"), .await("\ntouchline> ")] }
            let first: [TerminalProgram.Step] = [
                .await("touchline> "), .type("terminal length 0\r"), .await("\ntouchline> "),
            ]
            return try await TerminalProgram.run(
                try command(box), terminal: "dumb", first + steps + [.type("exit\r")], in: venue)
        }

        /// What follows the echo of a line, up to the next prompt.
        private static func answers(_ visit: TerminalProgram) -> [(line: String, answer: String)] {
            visit.text.replacingOccurrences(of: "\r", with: "").components(separatedBy: "touchline> ").dropFirst().map {
                let parts = $0.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
        }

        /// Each command that has a call which succeeds on any box, and each page.
        @Test func everyPageIsShown() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(["push": ["pull": ["token": .string(Self.secret)]]], in: venue)
                let called = CommandLineClient.catalogue.commands.compactMap { command in
                    command.example.map {
                        ["shutdown", "screenshot"].contains(command.name) ? "" : "\(command.name) \($0)"
                    }
                }.filter { !$0.isEmpty }
                let pages = [
                    "status", "version", "channels", "repair", "picture", "sound", "sync", "wifi",
                    "interfaces",
                    "reports", "config", "storage", "processes", "service", "events",
                ].map { "show \($0)" }
                let visit = try await Self.visit(box, called + pages + ["diagnose", "show tech-support"], in: venue)
                #expect(visit.code != 999 && visit.isRestored, "\(visit.text.suffix(2_000))")
                let answers = Self.answers(visit)
                #expect(answers.count >= called.count + pages.count + 3 && called.count > 30)
                for (line, answer) in answers where !line.hasPrefix("show tech-support") {
                    #expect(!answer.hasPrefix("touchline: ") && !answer.hasPrefix("unknown"), "\(line): \(answer)")
                }
                #expect(!visit.text.contains(Self.secret) && visit.text.contains("==== reports ===="))
                let support = try await box.answer("tech-support")
                #expect(support.at("/pages/status/playerState") != nil && support.at("/pages/log") != nil)
                #expect(!support.text().contains(Self.secret))
                let status = try #require(answers.first { $0.line.hasPrefix("show status") })
                let octets =
                    status.line.utf8.count + 2 * status.answer.utf8.count { $0 == 10 } + status.answer.utf8.count
                #expect(octets <= Self.twoSeconds, "\(octets) octets")
            }
        }

        /// A hundredth of it in CI: 10⁶ octets with TOUCHLINE_EFFORT=100.
        @Test func aBadLineDoesNoHarm() async throws {
            let octets = Effort.seeds(10_000).count
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                let long = String(repeating: "x", count: 10_000)
                let visit = try await TerminalProgram.run(
                    try Self.command(box), terminal: "dumb",
                    [
                        .await("touchline> "), .noise(seed: 12, octets: octets), .type("\u{3}\r\u{3}"),
                        .type("q\u{3}\r"), .await("touchline> "), .type("version\r"), .await("0."),
                        .await("touchline> "),
                        .type(long), .type(long + "\r"), .await("expected at most 4096"), .await("touchline> "),
                        .type("\u{1b}[200~\u{1b}]0;x\u{7}\u{0}\u{0}\u{3}"), .type("version\r"), .await("0."),
                        .type("exit\r"),
                    ], within: .seconds(60 + octets / 1_000), in: venue)
                #expect(visit.code != 999 && visit.isRestored, "\(visit.text.suffix(2_000))")
                #expect(try await box.answer("service")["state"] == "up")
            }
        }

        /// Two technicians at once, and none of them disturbs the other.
        @Test func twoAtOnce() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                let console = try Self.command(box).joined(separator: " ")
                let words = (0..<40).map { $0 % 2 == 0 ? "show stats | count" : "volume \($0)" }
                let script = try venue.directory.write(words.joined(separator: "\n") + "\n", to: "script")
                let other = try venue.start(["sh", "-c", "\(console) <\(script)"], name: "other")
                let visit = try await Self.visit(box, ["show stats | count", "volume 41", "show status"], in: venue)
                #expect(visit.code == 0 && visit.isRestored, "\(visit.text)")
                #expect(try await other.exitCode(within: .seconds(30)) == 0, "\(other.messages)")
            }
        }

        /// The service dies under the console, which goes on, says so, and takes commands again once there is another.
        @Test func theServiceDies() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                let visit = try await TerminalProgram.run(
                    try Self.command(box), terminal: "dumb",
                    [
                        .await("touchline> "), .type("terminal length 0\r"), .await("touchline> "),
                        .type("events --follow\r"), .await("service."), .kill(box.process.id),
                        .await("closed the connection"), .await("touchline> "), .type("status\r"),
                        .await("no service at"),
                        .await("touchline> "), .type("diagnose\r"), .await("touchlined is not running"),
                        .await("touchline> "), .type("show storage\r"), .await("writable"), .await("touchline> "),
                        .type("show proc | inc touchline\r"), .await("touchline> "), .type("help tune\r"),
                        .await("Usage"), .await("touchline> "), .type("exit\r"),
                    ], in: venue)
                #expect(visit.code == 0 && visit.isRestored, "\(visit.text)")
            }
        }
    }
}
