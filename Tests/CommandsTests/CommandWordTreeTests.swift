// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Testing

private let catalogue: Catalogue = {
    func argument(_ name: String, _ type: ValueKind, _ presence: FieldDescription.Presence, names: String? = nil)
        -> FieldDescription
    {
        var field = FieldDescription(name, type, presence, "Which \(name).")
        field.place = .position
        field.names = names
        return field
    }
    let record = AnswerDescription(.record, [FieldDescription("name", .text(0...9), .required, "A name.")])
    return Catalogue(
        [
            CommandDescription("status", "Show all", answer: record),
            CommandDescription("stats", "Show counters", answer: record),
            CommandDescription("stop", "Stop", role: .operator),
            CommandDescription(
                "tune", "Play", role: .operator,
                fields: [argument("channel", .text(1...9), .required, names: "channels")]),
            CommandDescription("channels", "List", answer: record),
            CommandDescription("channel-up", "Up", role: .operator),
            CommandDescription("channel-down", "Down", role: .operator),
            CommandDescription(
                "config", "Show settings", fields: [argument("path", .text(1...9), .optional)], answer: record),
            CommandDescription(
                "config-set", "Set", role: .administrator,
                fields: [
                    argument("path", .text(1...9), .required, names: "settings"),
                    argument("value", .anything, .required),
                    .option("force", .boolean, "Without asking."), .option("why", .text(1...9), "A reason."),
                ]),
            CommandDescription("config-confirm", "Confirm", role: .administrator),
            CommandDescription(
                "message", "Write", role: .operator, fields: [argument("text", .text(1...9), .required)]),
            CommandDescription("message-clear", "Clear", role: .operator),
            CommandDescription(
                "osd", "Show", role: .operator, fields: [argument("part", .choice(["banner", "clock"]), .required)]),
            CommandDescription(
                "help", "Explain", fields: [argument("command", .text(1...9), .optional)], isLocal: true),
        ],
        settings: [
            .group(
                "sound", "Sound.",
                [
                    FieldDescription("volume", .integer(0...100), .defaulted(100), "How loud."),
                    FieldDescription("kind", .choice(["alsa", "null"]), .defaulted("alsa"), "Which."),
                ])
        ])
}()

@Suite struct CommandWordTreeTests {
    private let tree = CommandWordTree(catalogue)

    @Test(
        arguments: [
            ("status", ["status"]), ("statu", ["status"]), ("show status", ["status"]),
            ("sh statu --json", ["status", "--json"]),
            ("tu One", ["tune", "One"]), ("channel up", ["channel-up"]), ("channel-up", ["channel-up"]),
            ("show config x", ["config", "x"]), ("help config-set", ["help", "config-set"]), ("osd -", ["osd", "-"]),
            ("config", ["config"]), ("config se a b", ["config-set", "a", "b"]),
            ("con set a b", ["config-set", "a", "b"]),
            ("config output", ["config", "output"]), ("config-set a b", ["config-set", "a", "b"]),
            ("message clear", ["message", "clear"]), ("message-clear", ["message-clear"]),
            ("show config x", ["config", "x"]),
            ("help con se", ["help", "config-set"]), ("help", ["help"]), ("", []),
        ] as [(String, [String])])
    func expands(line: String, words: [String]) throws {
        #expect(try tree.expand(line.split(separator: " ").map(String.init)) == words)
    }

    @Test(arguments: [
        ("st", "'st' begins several words; expected one of status, stats, stop"),
        ("channel", "'channel' begins several words; expected one of up, down"),
        ("show", "'show' begins several words; expected one of status, stats, channels, config"),
        ("t", "unknown command 't'; expected 'tune'?"),
        ("stattus", "unknown command 'stattus'; expected 'status'?"),
        ("show tune", "unknown command 'show tune'; expected one of those that 'touchline help' lists"),
        ("--json status", "unknown command '--json'; expected one of those that 'touchline help' lists"),
    ])
    func refuses(line: String, why: String) {
        do throws(CommandError) {
            Issue.record("\(try tree.expand(line.split(separator: " ").map(String.init)))")
        } catch {
            #expect(error.description == why)
        }
    }

    @Test(
        arguments: [
            ("tu", "tune "), ("sta", "stat"), ("sh", "show "), ("channel", nil), ("channel ", nil),
            ("channel u", "channel up "),
            ("config c", "config confirm "), ("osd ", nil), ("osd b", "osd banner "), ("osd 'b", "osd banner "),
            ("config set a b --f", "config set a b --force "), ("status | j", "status | json "), ("nothing", nil),
            ("help con", "help config "), ("help config se", "help config set "),
        ] as [(String, String?)])
    func completes(line: String, whole: String?) {
        #expect(completed(line, CommandCompletion(of: line, by: tree)) == whole)
    }

    private func completed(_ line: String, _ completion: CommandCompletion) -> String? {
        completion.replacement.map { line.dropLast($0.removed) + $0.text }
    }

    @Test func explains() {
        let set = CommandCompletion(of: "config set ", by: tree)
        #expect(set.lines == ["  PATH: a text of 1...9 characters. Which path."] && !set.isWhole)
        #expect(set.names == "settings")
        let volume = CommandCompletion(of: "config set sound.volume ", by: tree)
        #expect(volume.lines == ["  VALUE: an integer, 0...100. How loud."])
        let kind = CommandCompletion(of: "config set sound.kind ", by: tree)
        #expect(kind.candidates.map(\.word) == ["alsa", "null"])
        for path in ["sound.kind.x", "nothing", "sound..", "."] {
            let value = CommandCompletion(of: "config set \(path) ", by: tree)
            #expect(value.lines == ["  VALUE: a JSON value. Which value."], "\(path)")
        }
        let why = CommandCompletion(of: "config set a b --why ", by: tree)
        #expect(why.lines == ["  WHY: a text of 1...9 characters. A reason."])
        let tune = CommandCompletion(of: "tune ", by: tree)
        #expect(tune.names == "channels" && tune.adding(["One", "Two"]).candidates.map(\.word) == ["One", "Two"])
        let status = CommandCompletion(of: "status ", by: tree)
        #expect(status.isWhole && status.lines == ["  Enter, or | include, exclude, count, json"])
        #expect(
            CommandCompletion(of: "status | ", by: tree).candidates.map(\.word) == [
                "include", "exclude", "count", "json",
            ])
        #expect(
            CommandCompletion(of: "status | include ", by: tree).lines == ["  TEXT: what the lines have, or have not"])
        #expect(
            CommandCompletion(of: "st", by: tree).lines == [
                "  status  Show all", "  stats   Show counters", "  stop    Stop",
            ])
        #expect(CommandCompletion(of: "zz ", by: tree).lines == ["  nothing that this box knows may stand here"])
        #expect(CommandCompletion(of: "channel ", by: tree).candidates.map(\.word) == ["up", "down"])
    }

    @Test func manyWordsAreInColumns() {
        let all = CommandCompletion(of: "", by: tree)
        let lines = all.words(within: 30)
        #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 32 || $0.hasPrefix("  A ?") })
        #expect(
            lines.dropLast().joined(separator: " ").split(separator: " ").map(String.init) == all.candidates.map(\.word)
        )
        #expect(all.words(within: 1).count == all.candidates.count + 1)
    }

    @Test func namesWithBlanksAreQuoted() {
        for (line, names, whole) in [
            ("tune A", ["Arena One", "Beta"], "tune \"Arena One\" "),
            ("tune \"Arena O", ["Arena One"], "tune \"Arena One\" "),
            ("tune Ar", ["Arena One", "Arena Two"], "tune \"Arena "), ("tune ", ["a\"b\\"], "tune \"a\\\"b\\\\\" "),
            ("tune A", ["Ab", "Ac"], nil), ("tune et", ["Beta", "Alpha"], "tune Beta "),
            ("tune et", ["Beta 1", "Beta 2"], nil), ("tune e", ["Beta"], nil),
        ] as [(String, [String], String?)] {
            #expect(completed(line, CommandCompletion(of: line, by: tree).adding(names)) == whole)
        }
    }
}
