// SPDX-License-Identifier: Apache-2.0
import Shapes

/// What a console's line may have behind a bar: which lines of an answer are shown.
public enum LineFilter: Equatable, Sendable {
    /// Only those with this text, in capitals or not.
    case include(String)
    /// Only those without it.
    case exclude(String)
    /// Only how many there are.
    case count

    static let candidates: [CommandCompletion.Candidate] = [
        .init("include", "only the lines with a text"), .init("exclude", "only the lines without a text"),
        .init("count", "only the number of lines"), .init("json", "the answer as JSON"),
    ]

    /// Whether the line is shown; one by one, as a live view brings them.
    public func admits(_ line: String) -> Bool {
        switch self {
        case .include(let text): Self.has(line, text)
        case .exclude(let text): !Self.has(line, text)
        case .count: true
        }
    }

    private static func has(_ line: String, _ text: String) -> Bool {
        let (line, text) = (Array(line.lowercased().utf8), Array(text.lowercased().utf8))
        guard line.count >= text.count else { return false }
        return (0...line.count - text.count).contains { line[$0..<$0 + text.count].elementsEqual(text) }
    }
}
