// SPDX-License-Identifier: Apache-2.0

/// Rows and columns for people. Too wide a table is narrowed at its widest columns.
struct TextTable {
    let titles: [String]
    let rows: [[String]]

    private static let gap = 2
    private static let narrowest = 6

    /// - Parameter width: columns of the terminal.
    func lines(width: Int) -> [String] {
        let widths = fitted(to: width)
        return ([titles] + rows).map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                let (text, used) = Self.cut(cell, to: widths[index])
                line += text
                let isLast = index == row.count - 1
                if !isLast { line += String(repeating: " ", count: widths[index] - used + Self.gap) }
            }
            return Self.trimmed(line)
        }
    }

    private func fitted(to width: Int) -> [Int] {
        var widths = titles.indices.map { column in
            ([titles] + rows).map { Self.columns($0[column]) }.max() ?? 0
        }
        var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - width
        while excess > 0, let widest = widths.max(), widest > Self.narrowest, let place = widths.lastIndex(of: widest) {
            widths[place] -= 1
            excess -= 1
        }
        return widths
    }

    private static func cut(_ text: String, to width: Int) -> (String, columns: Int) {
        let whole = columns(text)
        guard whole > width else { return (text, whole) }
        var kept = ""
        var used = 0
        for character in text {
            let next = columns(character)
            if used + next > width - 1 { break }
            kept.append(character)
            used += next
        }
        return (kept + "…", used + 1)
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// Wide forms of East Asian Width, and pictographs.
    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first?.value else { return 0 }
        switch scalar {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
            0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }
}
