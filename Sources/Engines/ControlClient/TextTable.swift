// SPDX-License-Identifier: Apache-2.0
import Terminal

/// A table of text. One that is too wide is narrowed at its widest columns. If that is not enough, columns on the right
/// are left out.
struct TextTable {
    let titles: [String]
    let rows: [[String]]

    private static let gap = 2
    private static let narrowest = 6

    /// - Parameter width: columns of the terminal, at least 1; no line is wider.
    func lines(width: Int) -> [String] {
        let widths = fitted(to: width)
        return ([titles] + rows).map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += TerminalText.fitted(cell, to: width) + String(repeating: " ", count: Self.gap)
            }
            return Self.trimmed(line)
        }
    }

    private func fitted(to width: Int) -> [Int] {
        var widths = titles.indices.map { column in
            ([titles] + rows).map { TerminalText.columns($0[column]) }.max() ?? 0
        }
        func whole(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }
        var excess = whole(widths) - width
        while excess > 0, let widest = widths.max(), widest > Self.narrowest, let place = widths.lastIndex(of: widest) {
            widths[place] -= 1
            excess -= 1
        }
        while widths.count > 1, whole(widths) > width { widths.removeLast() }
        return widths.map { min($0, width) }
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
