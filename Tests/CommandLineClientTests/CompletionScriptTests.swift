// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import Rendering
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
                [[ $1 == programs && $2 == --names ]] && printf '%s\\n' 'BBC ONE' 'BBC TWO'
                [[ $1 == layouts && $2 == --names ]] && printf '%s\\n' full wall
                [[ $1 == regions && $2 == --names ]] && printf '%s\\n' main side
                [[ $1 == strategies && $2 == --names ]] && printf '%s\\n' alarm bar
            }

            """
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let call = "COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); compopt() { :; }\n_touchline\n"
        let output = try run(
            "/bin/bash",
            [
                "--norc", "-c",
                stub + CompletionScript(of: catalogue).text(for: .bash) + call + "printf '%s\\n' \"${COMPREPLY[@]}\"",
            ])
        return output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "no bash: completion is not run"))
    func bashCompletes() throws {
        #expect(
            try complete(["touchline", "st"]) == [
                "status", "streamers", "stop", "streams", "strategies", "strategy", "stats", "storage",
            ])
        #expect(try complete(["touchline", "--s"]) == ["--socket"])
        #expect(try complete(["touchline", "tune", ""]) == ["One", "Two\\ words", "Other"])
        #expect(try complete(["touchline", "--socket", "/x", "tune", "O"]) == ["One", "Other"])
        // The box of this line is asked, wherever on the line it stands.
        #expect(try complete(["touchline", "--socket", "/x", "tune", "/"]) == ["/x"])
        #expect(try complete(["touchline", "tune", "--socket", "/x", "/"]) == ["/x"])
        #expect(try complete(["touchline", "--socket", "=", "/x", "tune", "/"]) == ["/x"])
        #expect(try complete(["touchline", "playlist", "E"]) == ["Evening"])
        #expect(try complete(["touchline", "layout", ""]) == ["full", "wall"])
        #expect(try complete(["touchline", "tune", "One", "--region", ""]) == ["main", "side"])
        for command in ["region", "region-remove", "audio-region"] {
            #expect(try complete(["touchline", command, "s"]) == ["side"])
        }
        #expect(try complete(["touchline", "strategy", ""]) == ["alarm", "bar"])
        #expect(try complete(["touchline", "mute", ""]) == ["on", "off"])
        #expect(try complete(["touchline", "program", ""]) == ["BBC\\ ONE", "BBC\\ TWO"])
        #expect(try complete(["touchline", "channels", "--kind", ""]) == ["video", "data", "file"])
        #expect(
            try complete(["touchline", "channels", "--"]) == [
                "--kind", "--group", "--favourites", "--hidden", "--names", "--long", "--json", "--socket", "--help",
            ])
        #expect(try complete(["touchline", "channel-"]) == ["channel-up", "channel-down"])
        #expect(try complete(["touchline", "log-level", "d"]) == ["debug"])
        #expect(try complete(["touchline", "completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try complete(["touchline", "help", "ver"]) == ["version"])
        #expect(try complete(["touchline", "screenshot", "--output", "/etc/hostnam"]) == ["/etc/hostname"])
        #expect(try complete(["touchline", "status", "x"]) == [])
    }

    /// What each shell's `touchline` is in these tests: a box named on the line has one channel more.
    static let box = "One\\nTwo words\\nOther\\n"

    @Test(.enabled(if: Self.isThere("/usr/bin/fish"), "SKIP: no fish: its completion is not run"))
    func fishCompletes() throws {
        func complete(_ line: String) throws -> [String] {
            let stub = """
                function touchline
                    set -l here
                    test "$argv[1]" = --socket; and set here $argv[2]; and set -e argv[1..2]
                    string match -q -- '--socket=*' "$argv[1]"
                    and set here (string sub -s 10 -- $argv[1]); and set -e argv[1]
                    test "$argv" = 'channels --names'; and printf '\(Self.box)%s\\n' $here
                    test "$argv" = 'playlists --names'; and printf 'Evening\\nMorning\\n'
                    test "$argv" = 'layouts --names'; and printf 'full\\nwall\\n'
                    test "$argv" = 'regions --names'; and printf 'main\\nside\\n'
                    test "$argv" = 'strategies --names'; and printf 'alarm\\nbar\\n'
                    true
                end

                """
            let script = stub + CompletionScript(of: catalogue).text(for: .fish) + "complete -C '\(line)'\n"
            // Without what each candidate is explained with.
            return try run("/usr/bin/fish", ["--no-config", "-c", script]).split(separator: "\n").map { candidate in
                String(candidate.split(separator: "\t")[0])
            }
        }
        #expect(try complete("touchline str") == ["strategies", "strategy", "streamers", "streams"])
        #expect(try complete("touchline tune O") == ["One", "Other"])
        #expect(try complete("touchline --socket /x tune /") == ["/x"])
        #expect(try complete("touchline tune --socket /x /") == ["/x"])
        #expect(try complete("touchline --socket=/x tune /") == ["/x"])
        #expect(try complete("touchline playlist E") == ["Evening"])
        #expect(try complete("touchline layout w") == ["wall"])
        #expect(try complete("touchline region-remove ") == ["main", "side"])
        #expect(try complete("touchline tune One --region s") == ["side"])
        #expect(try complete("touchline strategy a") == ["alarm"])
        #expect(try complete("touchline mute ") == ["off", "on"])
        #expect(try complete("touchline channels --kind ") == ["data", "file", "video"])
        #expect(try complete("touchline channels --lo") == ["--long"])
        #expect(try complete("touchline screenshot --output /etc/hostnam") == ["/etc/hostname"])
    }

    /// Types into a real zsh with its completion system, and has what became of it run.
    @Test(.enabled(if: Self.isThere("/usr/bin/zsh"), "SKIP: no zsh: its completion is not run"))
    func zshCompletes() throws {
        func complete(_ lines: [String]) throws -> [String] {
            let script = """
                touchline() {
                    local here=
                    [[ $1 == --socket ]] && { here=$2; shift 2 }
                    [[ $1 == --socket=* ]] && { here=${1#--socket=}; shift }
                    case "$*" in
                    (channels\\ --names) printf '\(Self.box)%s\\n' $here ;;
                    (playlists\\ --names) printf 'Evening\\nMorning\\n' ;;
                    (layouts\\ --names) printf 'full\\nwall\\n' ;;
                    (regions\\ --names) printf 'main\\nside\\n' ;;
                    (strategies\\ --names) printf 'alarm\\nbar\\n' ;;
                    (*) print -r -- "[${(j:|:)@}]" >>$log ;;
                    esac
                }
                PROMPT= RPROMPT=
                autoload -Uz compinit && compinit -u -D

                """
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("touchline-\(UUID()).zsh")
            let log = file.path + ".log"
            // Temporary files that stay harm nobody.
            defer { for path in [file.path, log] { try? FileManager.default.removeItem(atPath: path) } }
            try (script + CompletionScript(of: catalogue).text(for: .zsh)).write(
                to: file, atomically: true, encoding: .utf8)
            let typing = """
                zmodload zsh/zpty
                zpty shell 'log=\(log) TERM=dumb zsh -f -i'
                zpty -w shell 'source \(file.path)'
                \(lines.map { "zpty -w -n shell $'\($0)\\t\\n'" }.joined(separator: "\n"))
                zpty -w shell 'print end >>$log; exit'
                while zpty -r shell line; do :; done
                """
            _ = try run("/usr/bin/zsh", ["-f", "-c", typing])
            return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        let lines = [
            "touchline channel-u", "touchline tune Oth", "touchline tune Tw", "touchline --socket /x tune /",
            "touchline --socket=/x tune /", "touchline playlist E", "touchline mute of",
            "touchline channels --kind vi", "touchline log-level warni", "touchline help versi",
            "touchline layout wa", "touchline region si", "touchline stop --region si", "touchline strategy al",
        ]
        #expect(
            try complete(lines) == [
                "[channel-up]", "[tune|Other]", "[tune|Two words]", "[tune|/x]", "[tune|/x]",
                "[playlist|Evening]", "[mute|off]", "[channels|--kind|video]", "[log-level|warning]",
                "[help|version]", "[layout|wall]", "[region|side]", "[stop|--region|side]", "[strategy|alarm]", "end",
            ])
    }

    static func isThere(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
            || ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1"
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
