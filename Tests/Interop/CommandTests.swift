// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The command line as people and scripts meet it: what is said, and the exit codes of `config/CONVENTIONS.md`.
    @Suite struct CommandTests {
        private static let channels: JSONValue = [
            "channels": [Group().json.merging(patch: ["name": "One"]), Group().json.merging(patch: ["name": "Two"])]
        ]

        private func withBox(_ body: (BoxProcess, TestVenue) async throws -> Void) async throws {
            try await TestVenue.open { venue in
                try await body(try await BoxProcess(Self.channels, in: venue), venue)
            }
        }

        /// - Parameter said: parts of the one line on standard error.
        private func expect(_ child: ChildProcess, code: Int32, said parts: String...) async throws {
            let found = try await child.exitCode(within: .zero)
            #expect(found == code, "\(child.messages)")
            #expect(child.output.isEmpty, "\(child.outputText)")
            #expect(child.messages.split(separator: "\n").count == 1, "\(child.messages)")
            for part in parts { #expect(child.messages.contains(part), "\(child.messages)") }
        }

        @Test func whatIsUnknownIsAnsweredWithWhatWasExpected() async throws {
            try await withBox { box, _ in
                try await expect(try await box.run("tunr", "One"), code: 2, said: "tunr", "expected", "tune")
                try await expect(try await box.run("tune", "Three"), code: 1, said: "Three", "expected", "One, Two")
                try await expect(try await box.run("tune"), code: 2, said: "channel", "expected")
                try await expect(try await box.run("status", "--jsn"), code: 2, said: "--jsn", "expected", "json")
                try await expect(try await box.run("status", "now"), code: 2, said: "now")
                try await expect(try await box.run("log-level", "loud"), code: 2, said: "loud", "expected", "debug")
                try await expect(try await box.run("events", "--since", "x"), code: 2, said: "since", "x", "expected")
                #expect(try await box.answer("status")["playerState"] == .null)
            }
        }

        @Test func everyCommandAnswersPeopleAndPrograms() async throws {
            try await withBox { box, _ in
                for words in [
                    ["status"], ["channels"], ["channels", "--kind", "video"], ["epg"], ["epg", "One"], ["programs"],
                    ["programs", "One"], ["streamers"],
                    ["tune", "One"],
                    ["stats"],
                    ["test-card", "on", "--seconds", "1"], ["tone", "--level", "-60", "--seconds", "1"],
                    ["tone", "off"],
                    ["stop"], ["events"], ["log-level", "debug"], ["log-level", "playback", "info"], ["config"],
                    ["version"],
                ] {
                    for words in [words, words + ["--json"]] {
                        let child = try await box.run(words)
                        let code = try await child.exitCode(within: .zero)
                        #expect(code == 0 && child.messages.isEmpty, "\(words): \(child.messages)")
                        if words.last == "--json" {
                            let answer = try JSONValue.parse(Array(child.output))
                            #expect(answer.object != nil, "\(words)")
                        } else {
                            let widest = child.outputText.split(separator: "\n").map(\.count).max() ?? 0
                            #expect(widest <= 80 || words != ["channels"], "\(child.outputText)")
                        }
                    }
                }
                for name in ["status", "tune", "screenshot", "shutdown"] {
                    let help = try await box.run("help", name)
                    #expect(help.outputText.contains(name) && help.messages.isEmpty)
                }
            }
        }

        @Test func screenshotIsAPNG() async throws {
            try await withBox { box, venue in
                let path = try await box.screenshot("slate.png")
                let file = FileManager.default.contents(atPath: path) ?? Data()
                #expect(file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
                let piped = try await box.run("screenshot")
                #expect(piped.output.starts(with: file.prefix(24)), "the same header, size included")
                let json = try await box.answer("screenshot")
                #expect(json["width"] == 640 && json["height"] == 360)
                let png = json["png"]?.string.flatMap { Data(base64Encoded: $0) }
                #expect(png?.starts(with: file.prefix(24)) == true)
                guard Peer.ffmpeg.isThere else { return }
                let probe = try await venue.succeed([
                    "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path,
                ])
                #expect(probe.outputText == "png,640,360\n")
                try Peer.ffmpeg.log(test: "screenshotIsAPNG", checks: 1)
            }
        }

        @Test func noService() async throws {
            try await TestVenue.open { venue in
                let client = try Programs.path("touchline")
                let absent = venue.directory.file("absent.sock")
                let status = try await venue.run([client, "--socket", absent, "status"])
                try await expect(status, code: 69, said: absent)
                // A file that no service listens on any more.
                let box = try await BoxProcess([:], in: venue)
                box.process.signal(SIGKILL)
                _ = try await box.process.exitCode(within: .seconds(5))
                try await expect(try await box.run("status"), code: 69, said: box.socket)
                for words in [["help"], ["help", "tune"], ["completion", "bash"], ["man"], ["tune", "--help"]] {
                    let child = try await venue.run([client, "--socket", absent] + words)
                    #expect(try await child.exitCode(within: .zero) == 0)
                    #expect(!child.output.isEmpty && child.messages.isEmpty)
                }
            }
        }

        @Test func secondServiceAndBadSettings() async throws {
            try await withBox { box, venue in
                let service = try Programs.path("touchlined")
                let state = venue.directory.file("state")
                let good = try venue.directory.write("{}", to: "good.json")
                let second = try await venue.run([
                    service, "--config", good, "--state", state, "--socket", box.socket,
                ])
                #expect(try await second.exitCode(within: .zero) == 75)
                #expect(try await box.answer("status")["isOpen"] == false, "the first one was disturbed")
                let bad = try venue.directory.write("{\"output\":{\"width\":\"wide\"}}", to: "bad.json")
                try await expect(try await venue.run([service, "--colour"]), code: 2, said: "--colour", "expected")
                let streamer = try Programs.path("touchline-streamer")
                try await expect(try await venue.run([streamer, "--config", bad]), code: 78, said: bad)
            }
        }

        /// SVM-12: whatever the file holds, the box starts with the last good document and says why.
        @Test func badSettingsLeaveTheLastGoodOnesInForce() async throws {
            try await TestVenue.open { venue in
                let service = try Programs.path("touchlined")
                let (state, socket) = (venue.directory.file("state"), venue.directory.file("s"))
                let file = try venue.directory.write("", to: "settings.json")
                for (text, name, said) in [
                    (#"{"box":{"name":"Bar"},"http":{"port":0}}"#, "Bar", ""),
                    (#"{"output":{"width":"wide"}}"#, "Bar", "/output/width"), (#"{"output":"#, "Bar", "line 1"),
                    (#"{"box":{"name":"Hall"},"http":{"port":0}}"#, "Hall", ""),
                ] {
                    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                    let box = try venue.start(
                        [service, "--config", file, "--state", state, "--socket", socket], name: "box")
                    let client = [try Programs.path("touchline"), "--socket", socket]
                    func answer(_ words: String...) async throws -> JSONValue {
                        try JSONValue.parse(Array(try await venue.succeed(client + words + ["--json"]).output))
                    }
                    _ = try await eventually(within: .seconds(10)) {
                        try await venue.run(client + ["version"]).exitCode(within: .zero) == 0
                    }
                    #expect(try await answer("config", "box.name")["config"] == .string(name))
                    let events = try await answer("events")["events"]?.array ?? []
                    let refused = events.first { $0["type"] == "service.settingsRefused" }
                    let why = refused?["payload"]?["why"]?.string ?? ""
                    #expect(refused == nil ? said.isEmpty : why.contains(said) && !said.isEmpty, "\(text): \(why)")
                    _ = try await venue.run(client + ["shutdown"])
                    #expect(try await box.exitCode(within: .seconds(5)) == 0)
                }
            }
        }

        /// The script is loaded by a real bash, which then completes commands and the channels of a running box.
        @Test func completionInBash() async throws {
            try await withBox { box, venue in
                let client = try Programs.path("touchline")
                let script = """
                    touchline() { '\(client)' --socket '\(box.socket)' "$@"; }
                    source <(touchline completion bash)
                    complete -p touchline >/dev/null || exit
                    COMP_WORDS=(touchline tu) COMP_CWORD=1
                    _touchline
                    echo "${COMPREPLY[@]}"
                    COMP_WORDS=(touchline tune T) COMP_CWORD=2
                    _touchline
                    echo "${COMPREPLY[@]}"
                    """
                let path = try venue.directory.write(script, to: "completion.bash")
                let bash = try await venue.run(["bash", path])
                #expect(try await bash.exitCode(within: .zero) == 0)
                #expect(bash.outputText == "tune\nTwo\n" && bash.messages.isEmpty, "\(bash.outputText)\(bash.messages)")
            }
        }
    }
}
