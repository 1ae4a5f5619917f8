// SPDX-License-Identifier: Apache-2.0
import Scene

/// An area of one colour with antialiased edges, such as panels, bars and the symbols for play and pause.
public struct Shape: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var colour: RGBColour
    /// 0 is invisible, 255 hides what is behind it.
    public var opacity: UInt8
    /// libass's drawing commands; the origin is the shape's top left corner.
    private let outline: String

    /// - Parameters: width, height and radius are in pixels; the radius is limited by the size.
    public static func rectangle(
        x: Int, y: Int, width: Int, height: Int, radius: Int = 0, colour: RGBColour, opacity: UInt8 = 255
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
        x: Int, y: Int, width: Int, height: Int, pointsLeft: Bool, colour: RGBColour
    ) -> Shape {
        let (w, h) = (max(0, width), max(0, height))
        let outline = pointsLeft ? "m 0 \(h / 2) l \(w) 0 \(w) \(h)" : "m 0 0 l \(w) \(h / 2) 0 \(h)"
        return Shape(x: x, y: y, colour: colour, opacity: 255, outline: outline)
    }

    /// A column of a plot, from its left edge to its right one, in pixels from the plot's left edge.
    public struct Column: Hashable, Sendable {
        public let from, to, height: Int

        public init(from: Int, to: Int, height: Int) {
            self.from = from
            self.to = to
            self.height = height
        }
    }

    /// Columns that stand on one line, `height` below the top of the shape.
    public static func columns(_ columns: [Column], x: Int, y: Int, height: Int, colour: RGBColour) -> Shape {
        // libass puts a shape by its outline: a corner without an area keeps it in its place.
        let corner = "m 0 0 l 0 0"
        let outlines = columns.map { column in
            let top = height - column.height
            return "m \(column.from) \(height) l \(column.from) \(top) \(column.to) \(top) \(column.to) \(height)"
        }
        return Shape(
            x: x, y: y, colour: colour, opacity: 255, outline: ([corner] + outlines).joined(separator: " "))
    }

    /// The shape as an event text of libass.
    var script: String {
        func code(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
        let tint = "\\1c&H\(code(colour.blue))\(code(colour.green))\(code(colour.red))&\\1a&H\(code(255 - opacity))&"
        return "{\\an7\\pos(\(x),\(y))\\q2\(tint)\\p1}\(outline)"
    }
}
