// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The live view on a real terminal: it shows, obeys, and leaves the terminal as it was, however it ends.
    @Suite struct TopTests {
        private func withTop(_ body: ([String], TestVenue, BoxProcess) async throws -> Void) async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(["box": ["name": "Ceiling 7"]], in: venue)
                try await body([try Programs.path("touchline"), "--socket", box.socket, "top"], venue, box)
            }
        }

        private func expectLeft(_ top: TerminalProgram) {
            #expect(top.wasTaken && top.isRestored)
            #expect(top.text.hasSuffix("\u{1b}[?25h\u{1b}[?1049l") || top.code < 0, "\(top.text.suffix(200))")
            #expect(top.text.contains("\u{1b}[?25h\u{1b}[?1049l"))
        }

        @Test func showsAndObeys() async throws {
            try await withTop { command, venue, _ in
                let top = try await TerminalProgram.run(
                    command,
                    [
                        .await("per second"), .await("Ceiling 7"), .type("s"), .await("by name"), .type(" "),
                        .await("[paused]"), .type(" "), .await("space pause"), .resize(columns: 40, rows: 10),
                        .await("\u{1b}[H"), .type("\u{1b}[B"), .await("\u{1b}[J"), .type("q"),
                    ], in: venue)
                #expect(top.code == 0)
                expectLeft(top)
                #expect(top.frames.count >= 6)
                for frame in top.frames {
                    #expect(frame.count <= 24 && frame.allSatisfy { $0.count <= 80 }, "\(frame)")
                }
                let first = try #require(top.frames.first)
                #expect(first.count == 24 && first[0].contains("Ceiling 7") && first[1] == "nothing plays")
                #expect(first.contains { $0.hasPrefix("access.") })
                let last = try #require(top.frames.last)
                #expect(last.count <= 10 && last.allSatisfy { $0.count <= 40 }, "\(last)")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func endsBySignal(number: Int32) async throws {
            try await withTop { command, venue, _ in
                let top = try await TerminalProgram.run(
                    command, [.await("per second"), .signal(number)], in: venue)
                #expect(top.code == 0)
                expectLeft(top)
            }
        }

        @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP]) func evenACrashGivesTheTerminalBack(number: Int32) async throws {
            try await withTop { command, venue, _ in
                let top = try await TerminalProgram.run(
                    command, [.await("per second"), .signal(number)], in: venue)
                #expect(top.code == -Int64(number))
                expectLeft(top)
            }
        }

        /// Ctrl-C is a key, since the terminal makes no signal of it.
        @Test func controlCEnds() async throws {
            try await withTop { command, venue, _ in
                let top = try await TerminalProgram.run(
                    command, [.await("per second"), .type("\u{3}")], in: venue)
                #expect(top.code == 0)
                expectLeft(top)
            }
        }

        @Test func waitsForABoxThatIsGone() async throws {
            try await withTop { command, venue, box in
                let top = try await TerminalProgram.run(
                    command, [.await("per second"), .end(box.process.id), .await("! "), .type("q")], in: venue)
                // Its path leaves no room for the rest.
                #expect(top.code == 0)
                #expect(top.text.contains("! no service at") || top.text.contains("! the service at"), "\(top.text)")
                expectLeft(top)
            }
        }

        @Test func linesOnADumbTerminalAndInAPipe() async throws {
            try await withTop { command, venue, box in
                let top = try await TerminalProgram.run(
                    command + ["--count", "2"], terminal: "dumb", [], in: venue)
                #expect(top.code == 0 && top.frames.isEmpty && !top.text.contains("\u{1b}"), "\(top.text)")
                let piped = try await box.run("top", "--count", "2")
                for text in [piped.outputText, top.text.replacingOccurrences(of: "\r", with: "")] {
                    let lines = text.split(separator: "\n")
                    #expect(lines.count == 3 && lines.first?.hasPrefix("time ") == true, "\(lines)")
                    #expect(lines.allSatisfy { $0.count <= 80 })
                }
                let absent = try await venue.run([command[0], "--socket", "/nonexistent/x", "top"])
                #expect(try await absent.exitCode(within: .zero) == 69)
                #expect(absent.output.isEmpty && absent.messages.contains("no service at /nonexistent/x"))
            }
        }
    }
}
