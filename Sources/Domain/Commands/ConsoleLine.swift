// SPDX-License-Identifier: Apache-2.0

/// A line of the console: the words of a command, and how its answer is filtered, as in
/// `show log | include wifi | count`.
public struct ConsoleLine: Equatable, Sendable {
    /// The words of the command, as they were typed.
    public private(set) var words: [String] = []
    /// In the order in which the lines of the answer pass them.
    public private(set) var filters: [LineFilter] = []
    public private(set) var isJSON = false

    private static let mostFilters = 8

    public init(_ line: String) throws(CommandError) {
        guard line.utf8.count <= CommandWords.longest else {
            throw .lineTooLong(octets: line.utf8.count, limit: CommandWords.longest)
        }
        let parts = try WordScanner(line, findsBars: true).ended()
            .split(separator: .bar, omittingEmptySubsequences: false)
            .map { part in part.compactMap { if case .word(let word) = $0 { word } else { nil } } }
        words = parts.first ?? []
        // As helps and diagnoses name commands.
        if words.count > 1, words.first == "touchline" { words.removeFirst() }
        guard parts.count > 1 else { return }
        guard !words.isEmpty else { throw .noCommand }
        guard parts.count <= Self.mostFilters + 1 else { throw .tooManyFilters(limit: Self.mostFilters) }
        for part in parts.dropFirst() { try add(part) }
    }

    private mutating func add(_ words: [String]) throws(CommandError) {
        let names = LineFilter.candidates.map(\.word)
        let begun = words.first.map { word in names.filter { $0.hasPrefix(word) } } ?? []
        guard begun.count == 1, let name = begun.first else {
            throw .unknownFilter(words.first ?? "", expected: names)
        }
        let takesText = name == "include" || name == "exclude"
        guard !takesText || words.count > 1 else {
            throw .missingArgument("TEXT", command: name, expectation: "a text of the lines")
        }
        if !takesText, words.count > 1 { throw .unexpectedArgument(words[1], command: name) }
        // Several words are one text, as they stand in the line.
        let text = words.dropFirst().joined(separator: " ")
        switch name {
        case "include": filters.append(.include(text))
        case "exclude": filters.append(.exclude(text))
        case "count": filters.append(.count)
        default: isJSON = true
        }
    }
}
