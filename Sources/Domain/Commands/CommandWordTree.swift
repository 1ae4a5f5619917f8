// SPDX-License-Identifier: Apache-2.0
import Shapes

/// Commands as people type them at the console: `config-set` is `config set`, `show` may stand before what only shows, and
/// of a word as much is enough as no other begins with, but two letters: one alone comes of noise on the line, too.
public struct CommandWordTree: Sendable {
    private typealias Entry = (words: [String], command: CommandDescription)

    /// The word that may stand before a command which only shows.
    private static let show = "show"

    private let catalogue: Catalogue
    private let entries: [Entry]

    public init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        let commands: [Entry] = catalogue.commands.map { (Self.words(of: $0, in: catalogue), $0) }
        let shown = commands.filter { $0.words[0] != Self.show && $0.command.onlyShows }
        let further: [Entry] = shown.map { ([Self.show] + $0.words, $0.command) }
        entries = commands + further.filter { further in !commands.contains { $0.words == further.words } }
    }

    /// A command whose first word is another command that takes words, such as `message-clear`, keeps its hyphen: `message
    /// clear` is a message.
    private static func words(of command: CommandDescription, in catalogue: Catalogue) -> [String] {
        let parts = command.name.split(separator: "-").map(String.init)
        let isArgument = (1..<max(1, parts.count)).contains { count in
            catalogue[parts[..<count].joined(separator: "-")]?.arguments.contains(where: \.isRequired) ?? false
        }
        return isArgument ? [command.name] : parts
    }

    /// What the beginning of a line says.
    struct Found {
        /// The words of the command in full, as far as there is one.
        var path: [String] = []
        /// nil if the words are none yet, or none at all.
        var command: CommandDescription?
        /// The words behind those of the command.
        var rest: ArraySlice<String>
        /// What is wrong with the words; nil if they are a command, or may become one.
        var problem: CommandError?
    }

    func command(of words: [String]) -> Found {
        var found = Found(rest: words[...])
        while let word = found.rest.first {
            let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            if parts.count > 1, entries.contains(where: { $0.words == found.path + parts }) {
                found.rest = parts + found.rest.dropFirst()
                continue
            }
            let next = nextWords(after: found.path)
            let matching = next.contains(word) ? [word] : next.filter { word.count > 1 && $0.hasPrefix(word) }
            guard matching.count == 1 else {
                // Behind a command, it is an argument.
                guard found.command == nil else { return found }
                let typed = (found.path + [word]).joined(separator: " ")
                found.problem =
                    matching.isEmpty
                    ? .unknownCommand(typed, suggestion: Suggestion.nearest(to: word, among: next))
                    : .ambiguousCommand(typed, among: matching)
                return found
            }
            found.path.append(matching[0])
            found.rest.removeFirst()
            found.command = entries.first { $0.words == found.path }?.command ?? found.command
        }
        return found
    }

    /// The line with its command's name in full, for whoever reads it by the catalogue. Empty for no words.
    /// - Throws: `.ambiguousCommand` with the words that begin so, `.unknownCommand`.
    public func expand(_ words: [String]) throws(CommandError) -> [String] {
        let found = command(of: words)
        if let problem = found.problem { throw problem }
        guard let command = found.command else {
            guard !words.isEmpty else { return [] }
            throw .ambiguousCommand(found.path.joined(separator: " "), among: nextWords(after: found.path))
        }
        guard command.name == "help", found.rest.first?.hasPrefix("-") == false else {
            return [command.name] + found.rest
        }
        return try [command.name] + expand(Array(found.rest)).prefix(1)
    }

    /// Words that may follow, each once.
    func next(after path: [String], begun: String) -> [CommandCompletion.Candidate] {
        nextWords(after: path).filter { $0.hasPrefix(begun) }.map { word in
            let exact = entries.first { $0.words == path + [word] }?.command
            let below = nextWords(after: path + [word])
            return .init(word, exact?.summary ?? (word == Self.show ? "Show something" : below.joined(separator: ", ")))
        }
    }

    /// - Parameter path: as `sound.volume`; an element of a list has no description of its own here.
    func setting(at path: String) -> FieldDescription? {
        var (fields, found): ([FieldDescription], FieldDescription?) = (catalogue.settings, nil)
        for name in path.split(separator: ".", omittingEmptySubsequences: false) {
            found = fields.first { $0.name == name }
            fields = if case .record(let inner)? = found?.type { inner } else { [] }
        }
        return found
    }

    private func nextWords(after path: [String]) -> [String] {
        var words: [String] = []
        for (command, _) in entries where command.count > path.count && command.starts(with: path) {
            if !words.contains(command[path.count]) { words.append(command[path.count]) }
        }
        return words
    }
}

extension CommandDescription {
    /// Whether the command may stand behind `show`: it changes nothing, and answers something.
    fileprivate var onlyShows: Bool { changesNothing && answer.form != .nothing }
}
