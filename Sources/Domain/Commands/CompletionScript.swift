// SPDX-License-Identifier: Apache-2.0

/// Completion scripts of the client. Names (of channels, layouts, regions …) ask the service; with the service dead they are missing.
public enum CompletionScript {
    public static func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    /// - Parameter options: of the client, as the shell writes them.
    static func names(of command: String, options: String) -> String {
        "touchline \(options)\(command) --names 2>/dev/null"
    }

    static func options(of command: Command) -> [CommandParameter] { command.options + Command.commonOptions }

    /// In single quotes, for all three shells: a quote inside is closed, escaped and opened again.
    static func quoted(_ text: String) -> String {
        var quoted = "'"
        for character in text { quoted += character == "'" ? #"'\''"# : String(character) }
        return quoted + "'"
    }
}
