// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

/// The commands that the client answers itself.
enum LocalCommands {
    static func all(shells: [String], manuals: [String]) -> [CommandDescription] {
        own(shells: shells, manuals: manuals) + Pages.all + FileCommand.descriptions + OrderCommands.all
            + GroupCommandSending.all
    }

    private static func own(shells: [String], manuals: [String]) -> [CommandDescription] {
        [
            CommandDescription(
                "help", "Explain a command",
                fields: [.word("command", .text(1...32), names: "help", "Absent: list them.")], isLocal: true),
            CommandDescription(
                "completion", "Print a completion script for a shell",
                help: "bash: source <(touchline completion bash)",
                fields: [.word("shell", .choice(shells), isRequired: true, "Whose script.")], isLocal: true),
            CommandDescription(
                "man", "Print a manual page", help: "In roff: touchline man touchlined | man -l -",
                fields: [.word("page", .choice(manuals), "Absent: touchline.")], isLocal: true),
            CommandDescription(
                "openapi", "Print the HTTP API as an OpenAPI document",
                help: "The box itself has it at /v1/openapi.json.", isLocal: true),
            top, console,
        ]
    }

    private static let top = CommandDescription(
        "top", "Watch streams and counters live",
        help: """
            A screen of what plays, how fast the counters go and what happens, until q or Ctrl-C. Space stops the screen
            while the box goes on, s sorts the counters by rate or by name, up and down move through them. Where there is
            no terminal, or a dumb one, a line at each look.
            """,
        fields: [
            .option("interval", .integer(1...60), "Seconds between looks; absent: 1."),
            .option("count", .integer(1...1_000_000), "End after so many looks; absent: never."),
        ], isLocal: true)

    private static let console = CommandDescription(
        "console", "Take commands line by line",
        help: """
            Each line is a command of this program, without its name: config set is config-set, show may stand before what
            only shows, and of a word as much is enough as no other begins with. Quotes stand round what has blanks. Behind
            a bar stand include TEXT, exclude TEXT, count or json. At a terminal ? lists what may be typed, Tab completes
            it, and long answers come page by page (terminal length 0: all at once); any key ends what goes on, Ctrl-C
            anything, and exit the console, as the end of the input does. It ends with the exit code of the last command.
            Lines reach no shell. The user whom access.console.user names logs in with a token once the box has some.
            """,
        isLocal: true)
}

extension FieldDescription {
    static func word(
        _ name: String, _ type: ValueKind, isRequired: Bool = false, names: String? = nil, _ help: String
    ) -> FieldDescription {
        var field = FieldDescription(name, type, isRequired ? .required : .optional, help)
        field.place = .position
        field.names = names
        return field
    }
}

/// The options of `top`.
struct TopOptions: Equatable, Sendable {
    /// Seconds between two samples.
    let interval: Int64
    /// The number of samples; nil continues until the user ends the program.
    let count: Int64?

    init(_ request: CommandRequest) {
        interval = request.integer("interval") ?? 1
        count = request.integer("count")
    }
}
