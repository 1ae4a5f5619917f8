// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CompletionScript {
    func zsh() -> String {
        let commands = catalogue.commands.map { "        " + quoted("\($0.name):\($0.summary)") }.joined(
            separator: "\n")
        let common = Catalogue.commonOptions.map(zshOption).joined(separator: " ")
        let cases = catalogue.commands.map { command in
            let specs =
                command.options.map(zshOption) + Catalogue.commonOptions.map(zshOption)
                + command.arguments.indices.map { zshArgument($0, of: command) }
            return "        \(command.name)) _arguments \(specs.joined(separator: " ")) ;;"
        }
        return """
            #compdef touchline
            # zsh completion of touchline: touchline completion zsh > ~/.zfunc/_touchline
            \(listings.map(zshNames).joined(separator: "\n"))
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

    private func zshNames(of listing: String) -> String {
        """
        _touchline_\(listing)() {
            local -a names
            names=(${(f)"$(\(names(of: listing, options: "$socket ")))"})
            compadd -a names
        }
        """
    }

    /// The specification of an argument. An optional argument without words of its own is completed with those of the
    /// last argument, because the word may belong to that one.
    private func zshArgument(_ index: Int, of command: CommandDescription) -> String {
        let argument = command.arguments[index]
        let meant = !argument.isRequired && zshAction(argument) == " " ? command.arguments[index...].last : nil
        return quoted(":\(argument.name):\(zshAction(meant ?? argument))")
    }

    private func zshOption(_ option: FieldDescription) -> String {
        // The characters '[', ']' and ':' are special in a specification.
        let help = option.help.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
        return option.isFlag
            ? quoted("\(option.optionWord)[\(help)]")
            : quoted("\(option.optionWord)=[\(help)]:\(option.name):\(zshAction(option))")
    }

    private func zshAction(_ field: FieldDescription) -> String {
        switch source(of: field) {
        case .nothing: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .names(let listing): "_touchline_\(listing)"
        case .files: "_files"
        }
    }
}
