// SPDX-License-Identifier: Apache-2.0

/// The lines that were entered before, and the walk through them with the line that was being typed.
struct LineHistory: Sendable {
    private static let limit = 100

    private var lines: [String] = []
    /// Place in `lines` of the line that is shown; their number if it is the one that is being typed.
    private var place = 0
    /// What was being typed when the walk began.
    private var draft = ""

    /// Ends the walk. An empty line is not kept, and one that repeats the line before is not kept twice.
    mutating func add(_ line: String) {
        if line.contains(where: { !$0.isWhitespace }), line != lines.last {
            if lines.count == Self.limit { lines.removeFirst() }
            lines.append(line)
        }
        (place, draft) = (lines.count, "")
    }

    /// - Parameter line: what is shown.
    /// - Returns: the line before it; nil if there is none.
    mutating func earlier(than line: String) -> String? {
        guard place > 0 else { return nil }
        if place == lines.count { draft = line }
        place -= 1
        return lines[place]
    }

    /// - Returns: the line after the one that is shown; nil if it is the one that is being typed.
    mutating func later() -> String? {
        guard place < lines.count else { return nil }
        place += 1
        return place == lines.count ? draft : lines[place]
    }
}
