// SPDX-License-Identifier: Apache-2.0

/// Finds the words of a typed line, character by character. Words are separated by white space. Quotes enclose text that
/// contains white space, and a backslash makes the next character literal; within single quotes it is an ordinary
/// character. Where lines may have filters, a bar that is not quoted separates these.
struct WordScanner {
    enum Token: Equatable {
        case word(String)
        case bar
    }

    /// The words that have ended, and the bars.
    private(set) var tokens: [Token] = []
    /// The word that goes on; nil behind white space.
    private(set) var begun: String?
    /// The quotation that is open, with the position of its quote in characters, counted from 1.
    private(set) var quote: (character: Character, place: Int)?
    private(set) var isEscaped = false
    private var place = 0
    /// The position at which the word that goes on begins, in characters from 0.
    private(set) var begin = 0

    init(_ line: String, findsBars: Bool = false) {
        for character in line { take(character, findsBars) }
    }

    private mutating func take(_ character: Character, _ findsBars: Bool) {
        if begun == nil { begin = place }
        place += 1
        if isEscaped {
            isEscaped = false
            // Within double quotes a backslash escapes only these two characters.
            if quote != nil, character != "\"", character != "\\" { begun = (begun ?? "") + "\\" }
            begun = (begun ?? "") + String(character)
        } else if character == "\\", quote?.character != "'" {
            (isEscaped, begun) = (true, begun ?? "")
        } else if character == quote?.character {
            quote = nil
        } else if quote == nil, character == "\"" || character == "'" {
            (quote, begun) = ((character, place), begun ?? "")
        } else if quote == nil, character.isWhitespace {
            endWord()
        } else if quote == nil, findsBars, character == "|" {
            endWord()
            tokens.append(.bar)
        } else {
            begun = (begun ?? "") + String(character)
        }
    }

    private mutating func endWord() {
        if let begun { tokens.append(.word(begun)) }
        begun = nil
    }

    /// All words, the last one included.
    /// - Throws: `.openQuote`, `.nothingEscaped`.
    func ended() throws(CommandError) -> [Token] {
        if let quote { throw .openQuote(String(quote.character), place: quote.place) }
        guard !isEscaped else { throw .nothingEscaped }
        return tokens + (begun.map { [.word($0)] } ?? [])
    }
}
