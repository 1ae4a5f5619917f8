// SPDX-License-Identifier: Apache-2.0

extension CompletionScript {
    static func zsh() -> String {
        let commands = Command.all.map { "        " + quoted("\($0.name):\($0.summary)") }.joined(separator: "\n")
        let common = Command.commonOptions.map(zshOption).joined(separator: " ")
        let cases = Command.all.map { command in
            let specs =
                command.options.map(zshOption) + Command.commonOptions.map(zshOption)
                + command.arguments.indices.map { zshArgument($0, of: command) }
            return "        \(command.name)) _arguments \(specs.joined(separator: " ")) ;;"
        }
        return """
            #compdef touchline
            # zsh completion of touchline: touchline completion zsh > ~/.zfunc/_touchline
            \(CommandParameter.Completion.listings.map(zshNames).joined(separator: "\n"))
            _touchline() {
                local -a commands socket
                local -i index
                for ((index = 2; index < CURRENT; index++)); do
                    case $words[index] in
                    --socket) ((index + 1 < CURRENT)) && socket=(--socket "${(Q)words[index + 1]}") ;;
                    --socket=*) socket=("${(Q)words[index]}") ;;
                    esac
                done
                commands=(
            \(commands)
                )
                local state line
                _arguments -C \(common) '1:command:->command' '*::argument:->argument'
                case $state in
                command) _describe command commands ;;
                argument)
                    case $words[1] in
            \(cases.joined(separator: "\n"))
                    esac ;;
                esac
            }
            if [ "$funcstack[1]" = "_touchline" ]; then _touchline; else compdef _touchline touchline; fi

            """
    }

    private static func zshNames(of listing: String) -> String {
        """
        _touchline_\(listing)() {
            local -a names
            names=(${(f)"$(\(names(of: listing, options: "$socket ")))"})
            compadd -a names
        }
        """
    }

    /// A word may stand for an argument behind it when those between are optional.
    private static func zshArgument(_ index: Int, of command: Command) -> String {
        let argument = command.arguments[index]
        let meant = argument.isOptional && zshAction(argument) == " " ? command.arguments[index...].last : nil
        return quoted(":\(argument.name):\(zshAction(meant ?? argument))")
    }

    private static func zshOption(_ option: CommandParameter) -> String {
        // In a specification '[', ']' and ':' have a meaning of their own.
        let help = option.help.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
        return option.isFlag
            ? quoted("\(option.optionWord)[\(help)]")
            : quoted("\(option.optionWord)=[\(help)]:\(option.name):\(zshAction(option))")
    }

    private static func zshAction(_ parameter: CommandParameter) -> String {
        switch parameter.completion {
        case .nothing: " "
        case .choices: "(\(parameter.choices.joined(separator: " ")))"
        case .commands: "(\(Command.all.map(\.name).joined(separator: " ")))"
        case .channelNames, .playlistNames, .layoutNames, .regionNames, .strategyNames:
            "_touchline_\(parameter.completion.listing ?? "")"
        case .files: "_files"
        }
    }
}
