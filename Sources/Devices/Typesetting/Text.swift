// SPDX-License-Identifier: Apache-2.0

/// Some text and its place on the canvas.
public struct Text: Hashable, Sendable {
    /// Which point of the text lies at `x`, `y`; it also aligns the lines.
    public enum Anchor: Int, Hashable, Sendable {
        case bottomLeft = 1
        case bottom, bottomRight, left, centre, right, topLeft, top, topRight
    }

    /// Taken as it is: nothing in it can change the style. Line feeds begin new lines.
    public var string: String
    public var x: Int
    public var y: Int
    public var anchor: Anchor
    /// Pixels after which lines break at a space; nil never breaks.
    public var maxWidth: Int?
    public var style: TextStyle

    public init(_ string: String, x: Int, y: Int, anchor: Anchor = .topLeft, maxWidth: Int? = nil, style: TextStyle) {
        self.string = string
        self.x = x
        self.y = y
        self.anchor = anchor
        self.maxWidth = maxWidth
        self.style = style
    }

    /// As libass reads it: position and wrapping, then the string with everything that libass would obey made harmless.
    var script: String {
        var script = "{\\an\(anchor.rawValue)\\pos(\(x),\(y))\\q\(maxWidth == nil ? 2 : 0)}"
        script.unicodeScalars.reserveCapacity(script.unicodeScalars.count + string.unicodeScalars.count)
        var last: Unicode.Scalar = "\n"
        for scalar in string.unicodeScalars {
            defer { last = scalar }
            switch scalar {
            case "{", "}": script += "\\" + String(scalar)
            case "\\": script += "\\\u{2060}"  // a word joiner: the backslash then escapes nothing
            case "\n": script += "\\N"
            case " " where last == " " || last == "\n": script += "\\h"  // libass drops others in front of a line
            case "\0", "\r": continue
            default: script.unicodeScalars.append(scalar)
            }
        }
        return script
    }
}
