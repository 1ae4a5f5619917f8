// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Splits the words of a command line into the command, its positional words and its options.
struct CommandLineReader {
    private let catalogue: Catalogue
    private var words: ArraySlice<String>
    private(set) var command: CommandDescription?
    private(set) var options: [String: JSONValue] = [:]
    private var positional: [String] = []

    init(_ words: [String], _ catalogue: Catalogue) {
        self.words = words[...]
        self.catalogue = catalogue
    }

    mutating func read() throws(CommandError) {
        var hasOptions = true
        while let word = words.popFirst() {
            if hasOptions, word == "--" {
                hasOptions = false
            } else if hasOptions, word.hasPrefix("-"), word != "-", !isNumber(word), !word.hasPrefix("-----") {
                // Five hyphens begin a text in PEM.
                try readOption(word == "-h" ? "--help" : word)
            } else if command == nil {
                command = try command(named: word)
            } else {
                positional.append(word)
            }
        }
    }

    /// Two words are the command `word-next` if there is one, such as `config set`, unless the first alone is a command
    /// for which the second is an argument.
    private mutating func command(named word: String) throws(CommandError) -> CommandDescription {
        let takesWords = catalogue[word]?.arguments.contains(where: \.isRequired) ?? false
        guard !takesWords, let next = words.first, let joined = catalogue["\(word)-\(next)"] else {
            return try catalogue.command(named: word)
        }
        words.removeFirst()
        return joined
    }

    /// Whether the word is a negative number for a command that takes an integer. No option looks like a number.
    private func isNumber(_ word: String) -> Bool {
        Int64(word) != nil && command?.arguments.contains(where: \.isInteger) == true
    }

    private mutating func readOption(_ word: String) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let known = Catalogue.commonOptions + (command?.options ?? [])
        guard let option = known.first(where: { $0.optionWord == parts[0] }) else {
            throw .unknownOption(
                parts[0], command: command?.name,
                suggestion: Suggestion.nearest(to: parts[0], among: known.map(\.optionWord)))
        }
        if option.isFlag {
            guard parts.count == 1 else { throw .unexpectedValue(option: parts[0]) }
            options[option.name] = true
            return
        }
        guard let text = parts.count == 2 ? parts[1] : words.popFirst() else {
            throw .missingValue(option: parts[0], expectation: option.type.expectation)
        }
        let value = option.value(of: text)
        guard option.type.accepts(value) else {
            throw .invalidValue(parameter: parts[0], value: value.text(), expectation: option.type.expectation)
        }
        options[option.name] = value
    }

    /// The arguments of the request to the service: positional words by the names of their arguments, and the options
    /// that are not the client's own.
    /// - Parameter readDocument: reads the JSON file with this path.
    func requestArguments(
        _ readDocument: (String) throws(CommandError) -> JSONValue
    ) throws(CommandError) -> [String: JSONValue] {
        guard let command else { return [:] }
        var given: [String: JSONValue] = [:]
        var rest = positional[...]
        var required = command.arguments.count(where: \.isRequired)
        for argument in command.arguments {
            if argument.isRequired {
                required -= 1
            } else if rest.count <= required {
                continue
            }
            guard let word = rest.popFirst() else { break }
            given[argument.name] = argument.place == .document ? try readDocument(word) : argument.value(of: word)
        }
        if let extra = rest.first { throw .unexpectedArgument(extra, command: command.name) }
        for option in command.options where option.place == .option { given[option.name] = options[option.name] }
        return given
    }
}
