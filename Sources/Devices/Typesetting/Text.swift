// SPDX-License-Identifier: Apache-2.0

/// A text and its position on the canvas.
public struct Text: Hashable, Sendable {
    /// Which point of the text lies at `x`, `y`; it also aligns the lines.
    public enum Anchor: Int, Hashable, Sendable {
        case bottomLeft = 1
        case bottom, bottomRight, left, centre, right, topLeft, top, topRight
    }

    /// What happens to a line that is too long.
    public enum Overflow: Hashable, Sendable {
        /// The line is not limited.
        case visible
        /// The line is cut to this number of pixels and ends in "…".
        case cut(Int)
    }

    /// Limit on the scalars that are drawn, because a text from a stream may be of any length.
    static let longest = 8_192
    /// Limit on the marks over and under one letter, more than any script has. Those of a heap of them would lie over
    /// other lines.
    private static let mostMarks = 4

    /// Drawn literally: nothing in it can change the style, or the direction of surrounding text. Line feeds begin new
    /// lines.
    public var string: String
    public var x: Int
    public var y: Int
    public var anchor: Anchor
    public var overflow: Overflow
    public var style: TextStyle

    public init(
        _ string: String, x: Int, y: Int, anchor: Anchor = .topLeft, overflow: Overflow = .visible, style: TextStyle
    ) {
        self.string = string
        self.x = x
        self.y = y
        self.anchor = anchor
        self.overflow = overflow
        self.style = style
    }

    /// The text as an event text of libass: its position, then the string with all of libass's codes escaped.
    var script: String {
        var script = "{\\an\(anchor.rawValue)\\pos(\(x),\(y))\\q2}"
        script.unicodeScalars.reserveCapacity(script.unicodeScalars.count + string.utf8.count)
        var last: Unicode.Scalar = "\n"
        var marks = 0
        for scalar in string.unicodeScalars.prefix(Self.longest) {
            marks = Self.isMark(scalar) ? marks + 1 : 0
            switch scalar {
            case _ where marks > Self.mostMarks: continue
            case "{", "}": script += "\\" + String(scalar)
            case "\\": script += "\\\u{2060}"  // a word joiner: the backslash then escapes nothing
            case "\n": script += "\\N"
            case " " where last == " " || last == "\n": script += "\\h"  // libass drops others at a line's start
            case "\t", "\u{2028}", "\u{2029}", "\u{85}": script += " "
            case _ where Self.isUnseen(scalar): continue
            default: script.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return script
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .enclosingMark
    }

    /// Control codes, and the embeddings, overrides and isolates that would reverse the rest of a line.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb: true
        default: false
        }
    }
}
