// SPDX-License-Identifier: Apache-2.0

/// The words of a line that somebody typed: between blanks; with quotes round what has blanks of its own, and a backslash
/// before a character that stands for itself. Single quotes keep backslashes as they are. Nothing else means anything.
public struct CommandWords: Equatable, Sendable {
    /// Octets of a line. What is longer was not typed.
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
                // Between double quotes only these two need one.
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
