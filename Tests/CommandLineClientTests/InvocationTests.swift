// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Rendering
import TestSupport
import Testing
import Venue

struct InvocationTests {
    func request(_ words: [String]) throws -> JSONValue? {
        guard case .request(let request) = try Invocation(words, in: catalogue).action else { return nil }
        return request.json
    }

    func failure(_ words: [String]) -> String {
        do {
            return "\(try Invocation(words, in: catalogue).action)"
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("status", #"{"arguments":{},"command":"status"}"#),
        ("--json status", #"{"arguments":{},"command":"status"}"#),
        ("channels --kind video", #"{"arguments":{"kind":"video"},"command":"channels"}"#),
        ("channels --kind=data --names", #"{"arguments":{"kind":"data"},"command":"channels"}"#),
        (
            "channels --group sport --favourites --hidden",
            #"{"arguments":{"favourites":true,"group":"sport","hidden":true},"command":"channels"}"#
        ),
        ("channel-up", #"{"arguments":{},"command":"channel-up"}"#),
        ("tune One", #"{"arguments":{"channel":"One"},"command":"tune"}"#),
        ("tune -- --odd", #"{"arguments":{"channel":"--odd"},"command":"tune"}"#),
        ("tune 7", #"{"arguments":{"channel":"7"},"command":"tune"}"#),
        ("events --since 5 --follow", #"{"arguments":{"follow":true,"since":5},"command":"events"}"#),
        ("log-level debug", #"{"arguments":{"level":"debug"},"command":"log-level"}"#),
        ("log-level lineup debug", #"{"arguments":{"level":"debug","subsystem":"lineup"},"command":"log-level"}"#),
        ("seek-relative -20000", #"{"arguments":{"ms":-20000},"command":"seek-relative"}"#),
        ("rewind -20000 --session 4", #"{"arguments":{"ms":-20000,"session":4},"command":"rewind"}"#),
        ("program default", #"{"arguments":{"program":"default"},"command":"program"}"#),
        ("program x", #"{"arguments":{"program":"x"},"command":"program"}"#),
        ("program 101", #"{"arguments":{"program":101},"command":"program"}"#),
        ("mute on", #"{"arguments":{"state":"on"},"command":"mute"}"#),
        ("screenshot --output a.png", #"{"arguments":{},"command":"screenshot"}"#),
    ])
    func understands(line: String, json: String) throws {
        #expect(try request(line.split(separator: " ").map(String.init))?.text() == json)
    }

    /// What was wrong and what was expected.
    @Test(arguments: [
        ("", "expected a command; see 'touchline help'"),
        ("tunee One", "unknown command 'tunee'; expected 'tune'?"),
        ("channel", "unknown command 'channel'; expected 'channels'?"),
        ("xyzzy", "unknown command 'xyzzy'; expected one of those that 'touchline help' lists"),
        ("tune", "tune: channel is missing; expected a text of 1...128 characters"),
        ("tune One Two", "unexpected argument 'Two' of tune"),
        ("status now", "unexpected argument 'now' of status"),
        ("channels --kind audio", #"--kind is "audio"; expected one of video, data, file"#),
        ("channels --kind", "option '--kind' has no value; expected one of video, data, file"),
        ("channels --kid video", "unknown option '--kid' of channels; expected '--kind'?"),
        (
            "status --verbose",
            "unknown option '--verbose' of status; expected one of those that 'touchline help status' lists"
        ),
        ("--verbose", "unknown option '--verbose'; expected one of those that 'touchline help' lists"),
        ("--json=yes status", "option '--json' takes no value"),
        ("events --since -1", "--since is -1; expected an integer from 0"),
        ("events --since x", #"--since is "x"; expected an integer from 0"#),
        ("events --since 99999999999999999999", #"--since is "99999999999999999999"; expected an integer from 0"#),
        ("log-level", "log-level: level is missing; expected one of debug, info, notice, warning, error"),
        ("log-level lineup", #"level is "lineup"; expected one of debug, info, notice, warning, error"#),
        ("seek-relative", "seek-relative: ms is missing; expected an integer, -86400000...86400000"),
        (
            "seek-relative -x",
            "unknown option '-x' of seek-relative; expected one of those that 'touchline help seek-relative' lists"
        ),
        ("tune -5", "unknown option '-5' of tune; expected one of those that 'touchline help tune' lists"),
        ("volume 101", "volume is 101; expected an integer, 0...100"),
        (
            "program 0",
            "program is 0; expected an integer, 1...65535, or a text of 1...256 characters"
        ),
        ("help tunee", "unknown command 'tunee'; expected 'tune'?"),
        ("completion tcsh", #"shell is "tcsh"; expected one of bash, zsh, fish"#),
    ])
    func explains(line: String, expected: String) {
        #expect(failure(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test func keepsLocalOptionsToItself() throws {
        let invocation = try Invocation(["screenshot", "--output", "-", "--socket=/tmp/x", "--json"], in: catalogue)
        #expect(invocation.path("output") == "-")
        #expect(invocation.socket == "/tmp/x")
        #expect(invocation.isJSON)
        #expect(try Invocation(["--help"], in: catalogue).action == .help(nil))
        #expect(try Invocation(["tune", "-h"], in: catalogue).action == .help("tune"))
        #expect(try Invocation(["help", "tune"], in: catalogue).action == .help("tune"))
        #expect(
            try Invocation(["completion", "fish"], in: catalogue).action
                == .local(CommandRequest(command: "completion", arguments: ["shell": "fish"], in: catalogue)))
    }

    /// The service refuses what the client refuses.
    @Test(arguments: [
        ("tune", #"{}"#, "tune: channel is missing; expected a text of 1...128 characters"),
        ("tune", #"{"channel":null}"#, "tune: channel is missing; expected a text of 1...128 characters"),
        ("tune", #"{"channel":7}"#, "channel is 7; expected a text of 1...128 characters"),
        ("tune", #"{"channel":""}"#, #"channel is ""; expected a text of 1...128 characters"#),
        ("tune", #"["One"]"#, "the arguments of tune: expected an object"),
        ("stop", #"{"now":true}"#, "unexpected argument 'now' of stop"),
        ("screenshot", #"{"output":"/etc/passwd"}"#, "unexpected argument 'output' of screenshot"),
        ("events", #"{"follow":1}"#, "follow is 1; expected true or false"),
        ("reboot", "{}", "unknown command 'reboot'; expected one of those that 'touchline help' lists"),
    ])
    func serviceRefuses(command: String, arguments: String, expected: String) throws {
        let arguments = try JSONValue.parse(arguments)
        do {
            let request = try CommandRequest(command: command, arguments: arguments, in: catalogue)
            Issue.record("accepted \(request)")
        } catch {
            #expect(error.description == expected)
            #expect(error.status.code == .usage)
        }
    }

    @Test func noWordsTrap() {
        let words =
            catalogue.commands.map(\.name) + [
                "--", "-", "--json", "--socket", "--kind", "--since=", "", "-x", "debug", "=", "--=", "9",
            ]
        var random = SplitMix64(seed: 3)
        for _ in 0..<5_000 {
            let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                words[Int.random(in: 0..<words.count, using: &random)]
            }
            _ = failure(line)
        }
    }
}
