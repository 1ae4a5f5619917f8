// SPDX-License-Identifier: Apache-2.0

extension TerminalPicture {
    /// Whether a text is nothing that a terminal would do more with than to show a picture: printable ASCII, line feeds,
    /// half blocks, colours (`ESC [ … m`) and whole sixel graphics (`ESC P … q … ESC \`). A service that is not the one
    /// it should be could otherwise have a terminal do anything.
    public static func isHarmless(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while let octet = rest.popFirst() {
            switch octet {
            case 10, 0x20...0x7e: continue
            case 0xe2: guard rest.popFirst() == 0x96, rest.popFirst() == 0x80 else { return false }
            case 0x1b:
                switch rest.popFirst() {
                case UInt8(ascii: "["):
                    skipNumbers(of: &rest)
                    guard rest.popFirst() == UInt8(ascii: "m") else { return false }
                case UInt8(ascii: "P"):
                    skipNumbers(of: &rest)
                    guard rest.popFirst() == UInt8(ascii: "q"), skipGraphics(of: &rest) else { return false }
                default: return false
                }
            default: return false
            }
        }
        return true
    }

    private static func skipNumbers(of rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ";") }
    }

    /// - Returns: whether the graphics end as they must.
    private static func skipGraphics(of rest: inout ArraySlice<UInt8>) -> Bool {
        while let octet = rest.popFirst() {
            switch octet {
            case 10, 0x20...0x7e: continue
            case 0x1b: return rest.popFirst() == UInt8(ascii: "\\")
            default: return false
            }
        }
        return false
    }
}
