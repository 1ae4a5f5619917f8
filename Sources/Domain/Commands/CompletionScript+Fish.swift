// SPDX-License-Identifier: Apache-2.0

extension CompletionScript {
    static func fish() -> String {
        var lines = [
            "# fish completion of touchline: touchline completion fish > ~/.config/fish/completions/touchline.fish",
            names,
            "complete -c touchline -f",
        ]
        for option in Command.commonOptions { lines.append("complete -c touchline \(fishOption(option))") }
        for command in Command.all {
            let description = quoted(command.summary)
            lines.append("complete -c touchline -n __fish_use_subcommand -a \(command.name) -d \(description)")
        }
        for command in Command.all {
            let condition = quoted("__fish_seen_subcommand_from \(command.name)")
            for argument in command.arguments {
                guard let words = fishWords(argument) else { continue }
                lines.append("complete -c touchline -n \(condition) -a \(words) -d \(quoted(argument.name))")
            }
            for option in command.options {
                lines.append("complete -c touchline -n \(condition) \(fishOption(option))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Asks the box of the line.
    private static let names = """
        function __touchline_names
            set -l words (commandline -opc)
            set -l socket
            for index in (seq 2 (count $words))
                switch $words[$index]
                    case --socket
                        set -q words[(math $index + 1)]; and set socket --socket $words[(math $index + 1)]
                    case '--socket=*'
                        set socket $words[$index]
                end
            end
            touchline $socket $argv[1] --names 2>/dev/null
        end
        """

    private static func fishOption(_ option: CommandParameter) -> String {
        var text = "-l \(option.optionWord.dropFirst(2))"
        if !option.isFlag {
            if case .files = option.completion {
                text += " -r -F"
            } else {
                text += " -x"
                if let words = fishWords(option) { text += " -a \(words)" }
            }
        }
        return text + " -d " + quoted(option.help)
    }

    private static func fishWords(_ parameter: CommandParameter) -> String? {
        switch parameter.completion {
        case .nothing, .files: nil
        case .choices: quoted(parameter.choices.joined(separator: " "))
        case .commands: quoted(Command.all.map(\.name).joined(separator: " "))
        case .channelNames, .playlistNames, .layoutNames, .regionNames, .strategyNames:
            quoted("(__touchline_names \(parameter.completion.listing ?? ""))")
        }
    }
}
