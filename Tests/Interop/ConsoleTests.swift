// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
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

        /// The console's user may do nothing without a token, once there are some; then what the token may (G-12, G-47).
        @Test(.enabled(if: getuid() == 0)) func whoIsAtTheLineLogsIn() async throws {
            try await TestVenue.open { venue in
                let access: JSONValue = [
                    "console": ["user": "nobody", "idleSeconds": 30], "lockout": ["tries": 3, "seconds": 60],
                ]
                let box = try await BoxProcess(["access": access], in: venue)
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: box.socket)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: (box.socket as NSString).deletingLastPathComponent)
                let nobody = [
                    "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", try Programs.path("touchline"),
                    "--socket", box.socket,
                ]
                let console = nobody + ["console"]
                guard try await venue.run(nobody + ["status"]).exitCode(within: .zero) == 0 else {
                    print("SKIP: another user cannot run the client here")
                    #expect(!Required.everything)
                    return
                }
                func visit(_ steps: [TerminalProgram.Step]) async throws -> TerminalProgram {
                    try await TerminalProgram.run(["/usr/bin/env"] + console, terminal: "dumb", steps, in: venue)
                }
                // Nobody has claimed the box: there is no token that could be asked for.
                let blank = try await visit([.await("touchline> "), .type("version\r"), .await("0."), .type("exit\r")])
                #expect(blank.code == 0, "\(blank.text)")

                let tokenOf = { (name: String, role: String) async throws -> String in
                    try await box.answer("token-create", name, "--role", role)["token"]?.string ?? ""
                }
                let (tech, boss) = (try await tokenOf("tech", "operator"), try await tokenOf("boss", "administrator"))
                let visited = try await visit([
                    .await("Token: "), .type("guess\r"), .await("is none of this box"), .type("\(tech)\r"),
                    .await("tech, operator"), .await("touchline> "), .type("version\r"), .await("0."),
                    .await("touchline> "), .type("shutdown\r"), .await("needs the role administrator"),
                    .await("touchline> "), .type("show access-status | inc role\r"), .await("operator"),
                    .type("logout\r"), .await("Token: "), .type("\(boss)\r"), .await("boss, administrator"),
                    .await("touchline> "), .type("claim-open\r"), .await("code"), .type("token revoke boss\r"),
                    .await("touchline> "), .type("channels\r"), .await("not logged in any more"), .await("Token: "),
                    .type("1\r"), .await("none of"), .type("2\r"), .await("none of"),
                    .type("\(tech)\r"), .await("too many wrong tokens"), .type("\u{4}"),
                ])
                #expect(visited.isRestored && !visited.text.contains(tech) && !visited.text.contains("guess"))
                #expect(visited.code != 999, "\(visited.text)")
                // Who has lost the tokens sees a code on the screen; another one is none.
                let before = try await box.run("screenshot", "--as", "ascii").outputText
                let lost = try await visit([
                    .await("Token: "), .type("lost\r"), .await("the screen shows a code"), .await("Token: "),
                    .type("AAAAA-AAAAA\r"), .await("4 more tries"), .await("Token: "), .type("\r"), .await("Token: "),
                    .type("\u{4}"),
                ])
                #expect(lost.code != 999 && lost.isRestored, "\(lost.text)")
                #expect(try await box.run("screenshot", "--as", "ascii").outputText != before)
                #expect(try await box.answer("token-list")["tokens"]?.array?.count == 1)
                // Without the console the user may do nothing either.
                #expect(try await venue.run(nobody + ["status"]).exitCode(within: .zero) == 1)

                let entries = try await box.answer("audit")["entries"]?.array ?? []
                let notes = entries.filter { $0["origin"] == "console" }.map {
                    "\($0["name"]?.string ?? "") \($0["command"]?.string ?? "") \($0["outcome"]?.string ?? "")"
                }
                for note in [
                    "tech session done", "tech version done", "tech shutdown refused", "tech access-status done",
                    "boss session done", "boss claim-open done", "boss token-revoke done", " login refused",
                    " access-recovery done", " access-recovery refused",
                ] {
                    #expect(notes.contains(note), "\(note) is missing: \(notes)")
                }
                #expect(!JSONValue.array(entries).text().contains(tech))
            }
        }
    }
}
