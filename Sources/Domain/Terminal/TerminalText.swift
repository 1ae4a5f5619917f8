// SPDX-License-Identifier: Apache-2.0

/// Measures and prepares text for a terminal.
public enum TerminalText {
    /// The columns that the text takes. Wide forms of East Asian Width and pictographs take two, combining marks none.
    public static func columns(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// The text, cut between characters and ended by an ellipsis if it is wider than `width`, and the columns that it
    /// takes.
    /// - Parameter width: columns, at least 1.
    public static func cut(_ text: String, to width: Int) -> (text: String, columns: Int) {
        let whole = columns(text)
        guard whole > width else { return (text, whole) }
        var (kept, used) = ("", 0)
        for character in text {
            let next = character.unicodeScalars.reduce(0) { $0 + columns($1) }
            if used + next > width - 1 { break }
            kept.append(character)
            used += next
        }
        return (kept + "…", used + 1)
    }

    /// The text, cut or filled with spaces on the right, so that it takes `width` columns.
    public static func fitted(_ text: String, to width: Int) -> String {
        let (text, columns) = cut(text, to: width)
        return text + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text in lines that are broken between words. A word that is wider than a line is cut.
    /// - Parameter width: columns, at least 1.
    public static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [(text: String, columns: Int)] = []
        for word in text.split(separator: " ") {
            let (word, columns) = cut(String(word), to: width)
            if let line = lines.last, line.columns + 1 + columns <= width {
                lines[lines.count - 1] = (line.text + " " + word, line.columns + 1 + columns)
            } else {
                lines.append((word, columns))
            }
        }
        return lines.map(\.text)
    }

    public static func columns(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        guard value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if isWide(value) { return 2 }
        // Medial vowels and final consonants of Hangul are drawn within the syllable that they follow.
        if (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) { return 0 }
        let isFlag = (0x1f1e6...0x1f1ff).contains(value)  // two regional indicators make one flag
        return scalar.properties.isEmojiPresentation && !isFlag ? 2 : 1
    }

    /// Whether the code point is in a block of East Asian Width W or F. Pictographs outside these blocks are recognised
    /// by their emoji presentation.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf, 0x4e00...0xa4c6,
            0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60,
            0xffe0...0xffe6, 0x16fe0...0x18d08, 0x1aff0...0x1b2fb, 0x1f200...0x1f265, 0x1f300...0x1f320,
            0x1f32d...0x1f335, 0x20000...0x3fffd:
            true
        default: false
        }
    }

    /// Whether the scalar may be put into a line that is typed: neither a control character nor one that formats.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20..<0x7f).contains(scalar.value) { return true }  // as most
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }

    /// The character with a scalar behind it, if both are one character; with as many marks as it may have, the character
    /// as it is.
    static func joined(_ character: Character, _ scalar: Unicode.Scalar) -> Character? {
        var text = String(character)
        text.unicodeScalars.append(scalar)
        guard text.count == 1 else { return nil }
        return text.unicodeScalars.count > mostMarks + 1 ? character : Character(text)
    }

    /// The most combining marks that one letter keeps.
    private static let mostMarks = 4

    /// The text with control characters, format characters (such as those that change the direction of writing) and
    /// line separators replaced by U+FFFD, and without excess combining marks. Names come from other machines and are
    /// not trusted.
    /// - Parameter kept: a scalar that is not replaced, such as a newline.
    public static func harmless(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result.append(scalar == kept ? scalar : "\u{fffd}")
                marks = 0
            case .nonspacingMark, .enclosingMark:
                marks += 1
                if marks <= mostMarks { result.append(scalar) }
            default:
                result.append(scalar)
                marks = 0
            }
        }
        return String(result)
    }
}
