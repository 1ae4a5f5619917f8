// SPDX-License-Identifier: Apache-2.0

/// The words of a console's line that is not finished: an open quote and a last backslash are no errors here.
public struct TypedWords: Equatable, Sendable {
    /// The words that have ended, of the command or of the last filter.
    public let whole: [String]
    /// The one that the cursor is in; empty behind a blank.
    public let begun: String
    /// Characters of that word in the line, with its quotes.
    public let begunLength: Int
    /// The number of filters that have been begun.
    public let filters: Int
    /// Whether a question mark is text here: in quotes, behind a backslash, and in a URL.
    public let takesQuestionMark: Bool

    public init(_ line: String) {
        let scanner = WordScanner(line, findsBars: true)
        let parts = scanner.tokens.split(separator: .bar, omittingEmptySubsequences: false)
        whole = (parts.last ?? []).compactMap { if case .word(let word) = $0 { word } else { nil } }
        begun = scanner.begun ?? ""
        begunLength = scanner.begun == nil ? 0 : line.count - scanner.begin
        filters = parts.count - 1
        takesQuestionMark = scanner.quote != nil || scanner.isEscaped || begun.contains("://")
    }
}
