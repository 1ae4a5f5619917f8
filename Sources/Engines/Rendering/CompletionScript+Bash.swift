// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CompletionScript {
    /// The script for bash. It needs bash 4.4, and not the bash-completion package.
    func bash() -> String {
        """
        # bash completion of touchline: source <(touchline completion bash)
        _touchline() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= index
            local -a candidates=() socket=()
            COMPREPLY=()
            for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                    --socket)
                        ((index++))
                        # COMP_WORDBREAKS makes three words of --socket=PATH.
                        [[ ${COMP_WORDS[index]} == = ]] && ((index++))
                        ((index < COMP_CWORD)) && socket=(--socket "${COMP_WORDS[index]}") ;;
                    --socket=*) socket=("${COMP_WORDS[index]}") ;;
                    -*) ;;
                    *) [[ $command ]] || command=${COMP_WORDS[index]} ;;
                esac
            done
            case $command:$previous in
        \(bashValues())
                *)
                    case $command:$current in
        \(bashWords())
                    esac ;;
            esac
            local candidate
            for candidate in "${candidates[@]}"; do
                [[ $candidate == "$current"* ]] && COMPREPLY+=("$(printf %q "$candidate")")
            done
        }
        complete -F _touchline touchline

        """
    }

    /// The cases that complete the value of an option.
    private func bashValues() -> String {
        var lines: [String] = []
        for option in Catalogue.commonOptions where !option.isFlag {
            lines.append("        *:\(option.optionWord)) \(bashAction(option)) ;;")
        }
        for command in catalogue.commands {
            for option in command.options where !option.isFlag {
                lines.append("        \(command.name):\(option.optionWord)) \(bashAction(option)) ;;")
            }
        }
        return lines.joined(separator: "\n")
    }

    private func bashWords() -> String {
        let common = Catalogue.commonOptions.map(\.optionWord).joined(separator: " ")
        var lines = ["                :-*) candidates=(\(common)) ;;"]
        lines.append("                :*) candidates=(\(catalogue.commands.map(\.name).joined(separator: " "))) ;;")
        for command in catalogue.commands {
            let names = options(of: command).map(\.optionWord).joined(separator: " ")
            lines.append("                \(command.name):-*) candidates=(\(names)) ;;")
            let actions = command.arguments.map(bashAction).filter { $0 != ":" }
            if let action = actions.first { lines.append("                \(command.name):*) \(action) ;;") }
        }
        return lines.joined(separator: "\n")
    }

    private func bashNames(_ command: String) -> String { names(of: command, options: "\"${socket[@]}\" ") }

    private func bashAction(_ field: FieldDescription) -> String {
        switch source(of: field) {
        case .nothing: ":"
        case .words(let words): "candidates=(\(words.joined(separator: " ")))"
        case .names(let listing): "mapfile -t candidates < <(\(bashNames(listing)))"
        case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        }
    }
}
