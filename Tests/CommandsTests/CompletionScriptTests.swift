// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import Testing

struct CompletionScriptTests {
    /// Runs the script in a real bash that has a `touchline` of its own.
    func complete(_ words: [String]) throws -> [String] {
        let stub = """
            touchline() {
                local here=
                [[ $1 == --socket ]] && { here=$2; shift 2; }
                [[ $1 == channels && $2 == --names ]] && printf '%s\\n' One 'Two words' Other $here
                [[ $1 == playlists && $2 == --names ]] && printf '%s\\n' Evening Morning
            }

            """
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let call = "COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); compopt() { :; }\n_touchline\n"
        let output = try run(
            "/bin/bash",
            ["--norc", "-c", stub + CompletionScript.text(for: .bash) + call + "printf '%s\\n' \"${COMPREPLY[@]}\""])
        return output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "no bash: completion is not run"))
    func bashCompletes() throws {
        #expect(try complete(["touchline", "st"]) == ["status", "streamers", "stop", "streams", "stats"])
        #expect(try complete(["touchline", "--s"]) == ["--socket"])
        #expect(try complete(["touchline", "tune", ""]) == ["One", "Two\\ words", "Other"])
        #expect(try complete(["touchline", "--socket", "/x", "tune", "O"]) == ["One", "Other"])
        // The box of this line is asked, wherever on the line it stands.
        #expect(try complete(["touchline", "--socket", "/x", "tune", "/"]) == ["/x"])
        #expect(try complete(["touchline", "tune", "--socket", "/x", "/"]) == ["/x"])
        #expect(try complete(["touchline", "--socket", "=", "/x", "tune", "/"]) == ["/x"])
        #expect(try complete(["touchline", "playlist", "E"]) == ["Evening"])
        #expect(try complete(["touchline", "mute", ""]) == ["on", "off"])
        #expect(try complete(["touchline", "program", ""]) == ["default"])
        #expect(try complete(["touchline", "channels", "--kind", ""]) == ["video", "data", "file"])
        #expect(
            try complete(["touchline", "channels", "--"]) == [
                "--kind", "--group", "--favourites", "--hidden", "--names", "--json", "--socket", "--help",
            ])
        #expect(try complete(["touchline", "channel-"]) == ["channel-up", "channel-down"])
        #expect(try complete(["touchline", "log-level", "d"]) == ["debug"])
        #expect(try complete(["touchline", "completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try complete(["touchline", "help", "ver"]) == ["version"])
        #expect(try complete(["touchline", "screenshot", "--output", "/etc/hostnam"]) == ["/etc/hostname"])
        #expect(try complete(["touchline", "status", "x"]) == [])
    }

    @Test(arguments: [Shell.zsh, Shell.fish])
    func otherShellsParse(shell: Shell) throws {
        let script = CompletionScript.text(for: shell)
        for command in Command.all { #expect(script.contains(command.name)) }
        guard
            let path = ["/bin", "/usr/bin"].map({ "\($0)/\(shell)" }).first(where: FileManager.default.isExecutableFile)
        else {
            print("\(shell) is not there: its completion script is not parsed")
            return
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("touchline-\(UUID()).\(shell)")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }  // a temporary file that stays harms nobody
        _ = try run(path, ["-n", file.path])
    }

    func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }
}
