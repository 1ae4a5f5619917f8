// SPDX-License-Identifier: Apache-2.0

/// Text within XML.
enum MarkupText {
    /// What XML 1.0 cannot say (§2.2) becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n": result.append(scalar)
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": result.append("\u{fffd}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
