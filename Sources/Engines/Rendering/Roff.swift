// SPDX-License-Identifier: Apache-2.0

/// Builds the source of a manual page in the macros of man(7).
struct Roff {
    /// The longest source line in octets. The formatter fills the lines that people see.
    private static let width = 78

    private(set) var text: String

    /// - Parameters:
    ///   - name: the name of the page.
    ///   - summary: one line without a full stop.
    init(_ name: String, section: Int, summary: String) {
        text = ".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Made by 'touchline man \(name)'; not to be edited.\n"
        text += ".TH \(Self.escaped(name.uppercased())) \(section) \(ManualPage.date) Touchline \"Touchline manual\"\n"
        self.section("NAME")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    mutating func subsection(_ title: String) { text += ".SS \(Self.quoted(title))\n" }

    /// Adds a paragraph, unless the text is empty.
    mutating func paragraph(_ content: String) {
        if !content.isEmpty { text += ".PP\n" + Self.filled(content) }
    }

    /// Adds the first paragraph after a heading, which needs no `.PP`.
    mutating func opening(_ content: String) { text += Self.filled(content) }

    /// Adds a tagged paragraph: a word in bold and its explanation.
    mutating func item(_ tag: String, _ content: String) {
        text += ".TP\n\\fB\(Self.escaped(tag))\\fR\n" + Self.filled(content.isEmpty ? "-" : content)
    }

    /// Indents everything that `body` adds.
    mutating func indented(_ body: (inout Roff) -> Void) {
        text += ".RS\n"
        body(&self)
        text += ".RE\n"
    }

    /// Adds lines that are not filled. It follows a heading.
    mutating func verbatim(_ lines: [String]) {
        text += ".nf\n"
        for line in lines { text += (line.isEmpty ? ".sp" : Self.guarded(Self.escaped(line))) + "\n" }
        text += ".fi\n"
    }

    // MARK: Text

    /// Escapes the text, so that the formatter prints it as it is. Hyphens stay ASCII hyphens that can be copied, and
    /// other characters outside ASCII become `\[uXXXX]`.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case " "..<"\u{7f}": result.unicodeScalars.append(scalar)
            default: result += "\\[u\(Self.hexadecimal(scalar.value))]"
            }
        }
        return result
    }

    /// Fills source lines with the words of the text. Each sentence begins a new line, as is usual in manual pages.
    private static func filled(_ content: String) -> String {
        var lines: [String] = [""]
        for word in content.split(whereSeparator: \.isWhitespace).map({ escaped(String($0)) }) {
            let last = lines[lines.count - 1]
            let endsSentence = last.last.map { ".?!".contains($0) } ?? false
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if endsSentence || last.utf8.count + 1 + word.utf8.count > width {
                lines.append(word)
            } else {
                lines[lines.count - 1] += " " + word
            }
        }
        return lines.map { guarded($0) + "\n" }.joined()
    }

    /// Protects a line that begins with a dot from being read as a request.
    private static func guarded(_ line: String) -> String { line.first == "." ? "\\&" + line : line }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
