// SPDX-License-Identifier: Apache-2.0

/// An area of one colour with antialiased edges, such as panels, bars and the symbols for play and pause.
public struct Shape: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var colour: TextStyle.Colour
    /// 0 is invisible, 255 hides what is behind it.
    public var opacity: UInt8
    /// libass's drawing commands; the origin is the shape's top left corner.
    private let outline: String

    /// - Parameters: width, height and radius are in pixels; the radius is limited by the size.
    public static func rectangle(
        x: Int, y: Int, width: Int, height: Int, radius: Int = 0, colour: TextStyle.Colour, opacity: UInt8 = 255
    ) -> Shape {
        let (w, h) = (max(0, width), max(0, height))
        let r = max(0, min(radius, w / 2, h / 2))
        guard r > 0 else {
            return Shape(x: x, y: y, colour: colour, opacity: opacity, outline: "m 0 0 l \(w) 0 \(w) \(h) 0 \(h)")
        }
        let c = r * 45 / 100  // control points of the Bézier curve for a quarter circle
        let top = "m \(r) 0 l \(w - r) 0 b \(w - c) 0 \(w) \(c) \(w) \(r)"
        let right = "l \(w) \(h - r) b \(w) \(h - c) \(w - c) \(h) \(w - r) \(h)"
        let bottom = "l \(r) \(h) b \(c) \(h) 0 \(h - c) 0 \(h - r)"
        let left = "l 0 \(r) b 0 \(c) \(c) 0 \(r) 0"
        return Shape(x: x, y: y, colour: colour, opacity: opacity, outline: "\(top) \(right) \(bottom) \(left)")
    }

    /// A triangle that points right or left.
    public static func triangle(
        x: Int, y: Int, width: Int, height: Int, pointsLeft: Bool, colour: TextStyle.Colour
    ) -> Shape {
        let (w, h) = (max(0, width), max(0, height))
        let outline = pointsLeft ? "m 0 \(h / 2) l \(w) 0 \(w) \(h)" : "m 0 0 l \(w) \(h / 2) 0 \(h)"
        return Shape(x: x, y: y, colour: colour, opacity: 255, outline: outline)
    }

    /// The shape as an event text of libass.
    var script: String {
        func code(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
        let tint = "\\1c&H\(code(colour.blue))\(code(colour.green))\(code(colour.red))&\\1a&H\(code(255 - opacity))&"
        return "{\\an7\\pos(\(x),\(y))\\q2\(tint)\\p1}\(outline)"
    }
}
