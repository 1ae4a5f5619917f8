// SPDX-License-Identifier: Apache-2.0
import Terminal

/// A terminal that knows printable characters, backspace, carriage return, line feed and bell, and nothing else.
struct FakeTerminal {
    /// What each column of the row shows; a wide character leaves its second column empty.
    private(set) var row: [String] = []
    private(set) var column = 0
    /// Rows that were left by a line feed, without spaces at their ends.
    private(set) var above: [String] = []
    private(set) var bells = 0
    /// The greatest column that a character was written to.
    private(set) var widest = 0
    /// Octets that the terminal does not know, and moves beyond the row.
    private(set) var faults = 0

    mutating func write(_ octets: [UInt8]) {
        for scalar in String(decoding: octets, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\u{8}":
                if column == 0 { faults += 1 } else { column -= 1 }
            case "\r": column = 0
            case "\n":
                above.append(text)
                row = []
            case "\u{7}": bells += 1
            default: put(scalar)
            }
        }
    }

    var text: String {
        var text = row.joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if scalar.value < 0x20 || scalar.value == 0x7f { return faults += 1 }
        let columns = TerminalText.columns(scalar)
        guard columns > 0 else {
            // It belongs to the character before.
            var place = column - 1
            while place > 0, row[place].isEmpty { place -= 1 }
            if place >= 0 { row[place].unicodeScalars.append(scalar) } else { faults += 1 }
            return
        }
        while row.count < column + columns { row.append(" ") }
        row[column] = String(Character(scalar))
        if columns == 2 { row[column + 1] = "" }
        column += columns
        widest = max(widest, column)
    }
}
