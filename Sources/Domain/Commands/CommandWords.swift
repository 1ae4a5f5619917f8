// SPDX-License-Identifier: Apache-2.0

/// Splits a typed line into words. Words are separated by white space. Quotes enclose text that contains white space,
/// and a backslash makes the next character literal. Within single quotes a backslash is an ordinary character. No
/// other character is special.
public struct CommandWords: Equatable, Sendable {
    /// The most octets of a line. A person types no longer line.
    public static let longest = 4_096

    public let words: [String]

    public init(_ line: String) throws(CommandError) {
        guard line.utf8.count <= Self.longest else { throw .lineTooLong(octets: line.utf8.count, limit: Self.longest) }
        var words: [String] = []
        var word: String?
        var quote: (character: Character, place: Int)?
        var isEscaped = false
        for (place, character) in line.enumerated() {
            if isEscaped {
                isEscaped = false
                // Within double quotes a backslash escapes only these two characters.
                if quote != nil, character != "\"", character != "\\" { word = (word ?? "") + "\\" }
                word = (word ?? "") + String(character)
            } else if character == "\\", quote?.character != "'" {
                (isEscaped, word) = (true, word ?? "")
            } else if character == quote?.character {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                (quote, word) = ((character, place + 1), word ?? "")
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw .openQuote(String(quote.character), place: quote.place) }
        guard !isEscaped else { throw .nothingEscaped }
        if let word { words.append(word) }
        self.words = words
    }
}
