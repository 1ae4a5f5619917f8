// SPDX-License-Identifier: Apache-2.0
import Shapes

/// What may come next in a line of the console that is being typed, by the catalogue alone.
public struct CommandCompletion: Equatable, Sendable {
    /// A word that may stand where the cursor is, and what it means.
    public struct Candidate: Equatable, Sendable {
        public let word: String
        public let help: String

        public init(_ word: String, _ help: String) { (self.word, self.help) = (word, help) }
    }

    /// The part of the word that is there, and its characters in the line, with its quotes.
    private let begun: String
    private let begunLength: Int
    /// In the order of the catalogue.
    public private(set) var candidates: [Candidate] = []
    /// The command whose answer lists further words; nil if there is none.
    public private(set) var names: String?
    /// What stands there, as `NAME: a text of 1...64 characters`; nil if nothing needs to.
    public private(set) var expectation: String?
    /// Whether the line may end here.
    public private(set) var isWhole = false

    /// - Parameter text: the line before the cursor.
    public init(of text: String, by tree: CommandWordTree) {
        let typed = TypedWords(text)
        (begun, begunLength) = (typed.begun, typed.begunLength)
        if typed.filters > 0 {
            readFilter(typed)
            return
        }
        let found = tree.command(of: typed.whole)
        guard found.problem == nil else { return }
        candidates = found.rest.isEmpty ? tree.next(after: found.path, begun: begun) : []
        if let command = found.command { readArguments(found.rest, of: command, by: tree) }
    }

    private mutating func readFilter(_ typed: TypedWords) {
        if typed.whole.isEmpty {
            candidates = LineFilter.candidates.filter { $0.word.hasPrefix(begun) }
        } else {
            expectation = "TEXT: what the lines have, or have not"
        }
    }

    private mutating func readArguments(
        _ rest: ArraySlice<String>, of command: CommandDescription, by tree: CommandWordTree
    ) {
        let options = command.options + Catalogue.commonOptions
        if let open = options.first(where: { $0.optionWord == rest.last && !$0.isFlag }) {
            return offer(open, as: open.placeholder)
        }
        if begun.hasPrefix("-") {
            candidates = options.filter { $0.optionWord.hasPrefix(begun) && $0.name != "socket" }
                .map { Candidate($0.optionWord, $0.help) }
            return
        }
        if command.name == "help" {
            candidates = tree.next(after: tree.command(of: Array(rest)).path, begun: begun)
            isWhole = true
            return
        }
        let given = Self.positional(rest, options)
        isWhole = !command.arguments.dropFirst(given.count).contains(where: \.isRequired)
        guard given.count < command.arguments.count else { return }
        let field = command.arguments[given.count]
        // What the value of a setting may be, the setting says whose path stands before it.
        if let path = given.last, command.arguments[given.count - 1].names == Self.settings,
            case .anything = field.type, let setting = tree.setting(at: path)
        {
            return offer(setting, as: field.placeholder)
        }
        offer(field, as: field.placeholder)
    }

    /// The command whose names are the paths of settings.
    private static let settings = "settings"

    private mutating func offer(_ field: FieldDescription, as placeholder: String) {
        let words = field.type.isBoolean ? ["true", "false"] : field.type.choices
        candidates += words.filter { $0.hasPrefix(begun) }.map { Candidate($0, "") }
        names = field.names
        expectation = "\(placeholder): \(field.type.expectation)" + (field.help.isEmpty ? "" : ". \(field.help)")
    }

    /// The arguments that have been given by position.
    private static func positional(_ words: ArraySlice<String>, _ options: [FieldDescription]) -> [String] {
        var (given, isValue): ([String], Bool) = ([], false)
        for word in words {
            if isValue {
                isValue = false
            } else if let option = options.first(where: { $0.optionWord == word }) {
                isValue = !option.isFlag
            } else if !word.hasPrefix("--") {
                given.append(word)
            }
        }
        return given
    }

    // MARK: What comes of it

    /// With the names that `names` listed: those that begin so, and otherwise those that have it in their middle, as the
    /// path of a setting has what somebody remembers of it.
    public func adding(_ names: [String]) -> CommandCompletion {
        var completion = self
        completion.names = nil
        let begin = names.filter { $0.hasPrefix(begun) }
        let matching = begin.isEmpty && begun.count > 1 ? names.filter { $0.contains(begun) } : begin
        completion.candidates += matching.map { Candidate($0, "") }
        return completion
    }

    /// What takes the place of the last characters before the cursor.
    public struct Replacement: Equatable, Sendable {
        public let removed: Int
        public let text: String
    }

    /// The word as far as all candidates have it in common, and a blank behind it if there is one alone; nil if nothing is
    /// certain beyond what is there.
    public var replacement: Replacement? {
        guard let first = candidates.first?.word else { return nil }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1.word) }
        let isWhole = candidates.count == 1
        guard isWhole || common.count > begun.count && common.hasPrefix(begun) else { return nil }
        let text = common.quoted(isWhole: isWhole)
        return Replacement(removed: begunLength, text: isWhole ? text + " " : text)
    }

    /// The words alone, in columns, for who asks where there are more lines than a page has.
    /// - Parameter width: columns of the terminal.
    public func words(within width: Int) -> [String] {
        let cell = (candidates.map(\.word.count).max() ?? 0) + 2
        let perRow = max(1, (width - 1) / max(1, cell))
        let rows = stride(from: 0, to: candidates.count, by: perRow).map { first in
            candidates[first..<min(first + perRow, candidates.count)].map(\.word)
        }
        return rows.map { row in
            let begun = row.dropLast().map { $0 + String(repeating: " ", count: cell - $0.count) }.joined()
            return "  " + begun + (row.last ?? "")
        } + ["  A ? behind the first letters, or behind a word, tells more."]
    }

    /// Lines for who asks what may stand here.
    public var lines: [String] {
        let width = min(24, candidates.map(\.word.count).max() ?? 0)
        var lines = candidates.map { candidate in
            guard !candidate.help.isEmpty else { return "  \(candidate.word)" }
            let gap = String(repeating: " ", count: max(0, width - candidate.word.count) + 2)
            return "  \(candidate.word)\(gap)\(candidate.help)"
        }
        if let expectation { lines.append("  \(expectation)") }
        if isWhole, begun.isEmpty { lines.append("  Enter, or | include, exclude, count, json") }
        return lines.isEmpty ? ["  nothing that this box knows may stand here"] : lines
    }
}

extension String {
    /// The word as it is typed. One that may go on has no quote at its end.
    fileprivate func quoted(isWhole: Bool) -> String {
        guard isEmpty || contains(where: { $0.isWhitespace || "\"'\\|".contains($0) }) else { return self }
        let text = reduce(into: "\"") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
        return isWhole ? text + "\"" : text
    }

    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
