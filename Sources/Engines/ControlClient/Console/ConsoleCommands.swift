// SPDX-License-Identifier: Apache-2.0
import Commands

/// The commands that only a console has, and those that it has not.
enum ConsoleCommands {
    static let names: Set<String> = ["terminal-length", "terminal-width", "logout", "exit", "quit"]

    /// Commands of the program that make no sense within a console.
    private static let hidden: Set<String> = ["console", "completion", "man", "openapi"]

    static func catalogue(_ catalogue: Catalogue) -> Catalogue {
        Catalogue(
            catalogue.commands.filter { !hidden.contains($0.name) } + own, settings: catalogue.settings,
            events: catalogue.events)
    }

    private static let own: [CommandDescription] = [
        CommandDescription(
            "terminal-length", "Say how many rows the terminal has",
            fields: [.word("rows", .integer(0...1_000), isRequired: true, "Rows of a page; 0: no pages.")],
            isLocal: true),
        CommandDescription(
            "terminal-width", "Say how many columns the terminal has",
            fields: [.word("columns", .integer(20...1_000), isRequired: true, "Columns.")], isLocal: true),
        CommandDescription("logout", "Log out", isLocal: true), CommandDescription("exit", "End", isLocal: true),
        CommandDescription("quit", "End", isLocal: true),
    ]

    /// Whether the command uses the terminal itself: it draws on it, or sends a file through it.
    static func takesTerminal(_ words: [String], isDumb: Bool, in catalogue: Catalogue) -> Bool {
        guard let invocation = invocation(words, in: catalogue) else { return false }
        switch invocation.action {
        case .local(let request) where FileCommand(of: request) != nil:
            return (invocation.path("output") ?? "-") == "-" && !invocation.isSet("usb")
        case .local(let request): return request.command == "top" && !isDumb
        case .request(let request): return ScreenshotAtTerminal.isSent(request, invocation)
        case .help: return false
        }
    }

    /// Whether the command goes on until it is ended.
    static func isLive(_ words: [String], in catalogue: Catalogue) -> Bool {
        switch invocation(words, in: catalogue)?.action {
        case .request(let request): request.asksForStream
        case .local(let request): request.command == "top"
        case .help, nil: false
        }
    }

    /// Whether the command prints a picture, which consists of more than lines of text.
    static func isPicture(_ words: [String], in catalogue: Catalogue) -> Bool {
        guard let invocation = invocation(words, in: catalogue), case .request(let request) = invocation.action else {
            return false
        }
        return ScreenshotAtTerminal.concerns(request, invocation) && !ScreenshotAtTerminal.isSent(request, invocation)
    }

    /// nil for what cannot be read, which is refused where it is executed; documents are read there, too.
    private static func invocation(_ words: [String], in catalogue: Catalogue) -> Invocation? {
        try? Invocation(words, in: catalogue) { (_) throws(CommandError) in [:] }
    }
}
