// SPDX-License-Identifier: Apache-2.0

/// The row of a terminal in which a line is edited: what it shows, and the octets that make it show something else.
struct EditedRow: Sendable {
    let prompt: String
    var columns = 80
    /// Whether the row shows anything; otherwise the cursor of the terminal is at the beginning of an empty row.
    var isShown = false {
        didSet { if !isShown { (shown, shownCursor) = ([], 0) } }
    }
    /// Behind the prompt.
    private var shown: [Character] = []
    /// Before which of them the cursor is.
    private var shownCursor = 0
    /// The first character of the line that is in the row.
    private var first = 0

    init(prompt: String) { self.prompt = prompt }

    /// Columns for the line. The last of the row stays free: terminals differ in what they do behind it.
    private var available: Int { max(8, columns - TerminalText.columns(prompt) - 1) }

    /// - Returns: octets for the terminal.
    mutating func draw(_ text: [Character], cursor: Int) -> [UInt8] {
        var output = ""
        if !isShown {
            output += prompt
            isShown = true
        }
        let (new, newCursor) = part(of: text, cursor)
        let same = zip(shown, new).prefix { $0 == $1 }.count
        if same == new.count, same == shown.count {
            output +=
                newCursor < shownCursor
                ? Self.back(over: new[newCursor..<shownCursor]) : String(new[shownCursor..<newCursor])
            shownCursor = newCursor
            return Array(output.utf8)
        }
        if shownCursor > same {
            output += Self.back(over: shown[same..<shownCursor])
        } else {
            output += String(shown[shownCursor..<same])
        }
        output += String(new[same...])
        let less = Self.columns(shown[same...]) - Self.columns(new[same...])
        if less > 0 { output += String(repeating: " ", count: less) + String(repeating: "\u{8}", count: less) }
        output += Self.back(over: new[newCursor...])
        (shown, shownCursor) = (new, newCursor)
        return Array(output.utf8)
    }

    /// The part of the line that fits, with marks where it goes on, and where the cursor is in it.
    private mutating func part(of text: [Character], _ cursor: Int) -> (shown: [Character], cursor: Int) {
        if Self.columns(text[...]) <= available {
            first = 0
            return (text, cursor)
        }
        if first > cursor || Self.columns(text[min(first, cursor)..<cursor]) > available - 2 {
            first = cursor
            var used = 0
            while first > 0, used + Self.columns(text[first - 1]) <= available / 2 {
                first -= 1
                used += Self.columns(text[first])
            }
        }
        var part: [Character] = first > 0 ? ["<"] : []
        var used = part.count
        var next = first
        while next < text.count, used + Self.columns(text[next]) < available {
            part.append(text[next])
            used += Self.columns(text[next])
            next += 1
        }
        if next < text.count { part.append(">") }
        return (part, cursor - first + (first > 0 ? 1 : 0))
    }

    private static func columns(_ character: Character) -> Int {
        character.isASCII ? 1 : TerminalText.columns(String(character))
    }

    private static func columns(_ text: ArraySlice<Character>) -> Int { text.reduce(0) { $0 + columns($1) } }

    private static func back(over text: ArraySlice<Character>) -> String {
        String(repeating: "\u{8}", count: columns(text))
    }
}
