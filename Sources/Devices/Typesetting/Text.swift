// SPDX-License-Identifier: Apache-2.0

/// Some text and its place on the canvas.
public struct Text: Hashable, Sendable {
    /// Which point of the text lies at `x`, `y`; it also aligns the lines.
    public enum Anchor: Int, Hashable, Sendable {
        case bottomLeft = 1
        case bottom, bottomRight, left, centre, right, topLeft, top, topRight
    }

    /// What becomes of a line that is too long.
    public enum Overflow: Hashable, Sendable {
        /// It goes on.
        case visible
        /// It breaks at a space after so many pixels.
        case wrapped(Int)
        /// It is cut within so many pixels and ends in "…".
        case cut(Int)
    }

    /// Scalars that are drawn at most: what a stream says may be endless.
    static let longest = 8_192

    /// Taken as it is: nothing in it can change the style, or the direction of what stands around it. Line feeds begin
    /// new lines.
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

    /// - Parameter maxWidth: pixels after which lines break at a space; nil never breaks.
    public init(_ string: String, x: Int, y: Int, anchor: Anchor = .topLeft, maxWidth: Int?, style: TextStyle) {
        let overflow: Overflow = maxWidth.map { .wrapped($0) } ?? .visible
        self.init(string, x: x, y: y, anchor: anchor, overflow: overflow, style: style)
    }

    var wrapWidth: Int? { if case .wrapped(let width) = overflow { width } else { nil } }

    /// As libass reads it: position and wrapping, then the string with everything that libass would obey made harmless.
    var script: String {
        var script = "{\\an\(anchor.rawValue)\\pos(\(x),\(y))\\q\(wrapWidth == nil ? 2 : 0)}"
        script.unicodeScalars.reserveCapacity(script.unicodeScalars.count + string.utf8.count)
        var last: Unicode.Scalar = "\n"
        for scalar in string.unicodeScalars.prefix(Self.longest) {
            switch scalar {
            case "{", "}": script += "\\" + String(scalar)
            case "\\": script += "\\\u{2060}"  // a word joiner: the backslash then escapes nothing
            case "\n": script += "\\N"
            case " " where last == " " || last == "\n": script += "\\h"  // libass drops others in front of a line
            case "\t", "\u{2028}", "\u{2029}", "\u{85}": script += " "
            case _ where Self.isUnseen(scalar): continue
            default: script.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return script
    }

    /// Control codes, and the embeddings, overrides and isolates that would turn the rest of a line around.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb: true
        default: false
        }
    }
}
