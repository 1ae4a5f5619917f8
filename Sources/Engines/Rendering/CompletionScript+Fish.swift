// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CompletionScript {
    func fish() -> String {
        var lines = [
            "# fish completion of touchline: touchline completion fish > ~/.config/fish/completions/touchline.fish",
            Self.names,
            "complete -c touchline -f",
        ]
        for option in Catalogue.commonOptions { lines.append("complete -c touchline \(fishOption(option))") }
        for command in catalogue.commands {
            let description = quoted(command.summary)
            lines.append("complete -c touchline -n __fish_use_subcommand -a \(command.name) -d \(description)")
        }
        for command in catalogue.commands {
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

    /// A function that asks the service whose socket the command line names.
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

    private func fishOption(_ option: FieldDescription) -> String {
        var text = "-l \(option.optionWord.dropFirst(2))"
        if !option.isFlag {
            if case .files = source(of: option) {
                text += " -r -F"
            } else {
                text += " -x"
                if let words = fishWords(option) { text += " -a \(words)" }
            }
        }
        return text + " -d " + quoted(option.help)
    }

    private func fishWords(_ field: FieldDescription) -> String? {
        switch source(of: field) {
        case .nothing, .files: nil
        case .words(let words): quoted(words.joined(separator: " "))
        case .names(let listing): quoted("(__touchline_names \(listing))")
        }
    }
}
