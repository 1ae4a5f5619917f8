// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Interop {
    /// What a technician has at the serial line: lines, Ctrl-C and the kernel's terminal.
    @Suite struct ConsoleTests {
        @Test func takesLinesAtATerminal() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess(["box": ["name": "Ceiling 7"]], in: venue)
                let command = [try Programs.path("touchline"), "--socket", box.socket, "console"]
                let console = try await TerminalProgram.run(
                    command, terminal: "dumb",
                    [
                        .await("touchline> "), .type("help tun\n"), .await("Usage: touchline tune"),
                        .await("touchline> "),
                        .type("tune \"No such\"\n"), .await("channel 'No such' is not"), .await("touchline> "),
                        .type("tune 'No\n"), .await("quotes that begin at 6"), .await("touchline> "),
                        .type("sh -c id\n"), .await("'sh' begins several words"), .await("touchline> "),
                        .type("stat\u{3}"), .await("touchline> "), .type("events --follow\n"), .await("service."),
                        .type("x"), .await("touchline> "), .type("health\n"), .await("touchline> "),
                        .type("vers?"), .await("Show the version"), .await("touchline> vers"), .type("\t\r"),
                        .await("0."),
                        .await("touchline> "), .type("show service | inc reason | count\r"), .await("\n2\r"),
                        .await("touchline> "), .type("stats\r"), .await("-- more"), .type(" "), .await("-- more"),
                        .type("q"), .await("touchline> "), .type("layout \t"), .await("quad"), .type("\u{15}"),
                        .type("exit\n"),
                    ], in: venue)
                #expect(console.code == 0 && console.isRestored && console.wasTaken, "\(console.text)")
                #expect(!console.text.contains("uid="))
                let ended = try await TerminalProgram.run(
                    command,
                    [
                        .await("touchline> "), .type("tunee\n"), .await("'tune'?"), .await("touchline> "),
                        .type("\u{4}"),
                    ],
                    in: venue)
                #expect(ended.code == 2)
            }
        }

        /// Without a terminal: no prompt, and the exit code of the last.
        @Test func takesLinesOfAPipe() async throws {
            try await TestVenue.open { venue in
                let box = try await BoxProcess([:], in: venue)
                let console = "\(try Programs.path("touchline")) --socket \(box.socket) console"
                let long = String(repeating: "x", count: 5_000)
                for (lines, code, output) in [
                    ("status --json | grep -c isOpen", 2, ""), ("", 0, ""), ("tunee\\nversion\\n\\n", 0, "\n"),
                    ("version\\n\(long)\\n", 2, "\n"), ("version\\ntune Nine", 1, "\n"),
                    ("tune Nine\\nexit\\nversion", 1, ""),
                ] {
                    let child = try await venue.run(["sh", "-c", "printf '\(lines)' | \(console)"])
                    #expect(try await child.exitCode(within: .zero) == Int32(code), "\(lines.prefix(40))")
                    #expect(child.outputText.hasSuffix(output) && child.outputText.isEmpty == output.isEmpty)
                }
            }
        }
    }
}
