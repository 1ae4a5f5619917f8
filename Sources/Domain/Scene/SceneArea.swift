// SPDX-License-Identifier: Apache-2.0

/// A rectangle in ten-thousandths of the stage or picture that contains it; the origin is at the top left.
public struct SceneArea: Hashable, Sendable {
    /// The number of parts into which an edge is divided.
    public static let parts = 10_000
    public static let whole = SceneArea(x: 0, y: 0, width: parts, height: parts)

    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether the area is not empty and lies inside the whole.
    public var isValid: Bool {
        let range = 0...Self.parts
        return range.contains(x) && range.contains(y) && width > 0 && height > 0
            && width <= Self.parts - min(x, Self.parts) && height <= Self.parts - min(y, Self.parts)
    }

    /// The area in pixels; what lies outside is cut off. Edges are on even pixels, because chroma is subsampled, or at
    /// the edge of `size`. Adjacent areas become adjacent pixels. The result is never empty.
    public func pixels(of size: PixelSize) -> PixelRectangle {
        let (left, right) = Self.edges(from: x, width, of: size.width)
        let (top, bottom) = Self.edges(from: y, height, of: size.height)
        return PixelRectangle(
            x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }

    /// Applies this area to `area` and gives the result in the coordinates of `area`. Adjacent areas stay adjacent; the
    /// result is never empty.
    public func placed(in area: SceneArea) -> SceneArea {
        let (left, right) = Self.edges(from: x, width, between: area.x, area.width)
        let (top, bottom) = Self.edges(from: y, height, between: area.y, area.height)
        return SceneArea(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func edges(from start: Int, _ length: Int, between low: Int, _ span: Int) -> (Int, Int) {
        func edge(_ part: Int) -> Int { low + (max(0, min(parts, part)) * span + parts / 2) / parts }
        let start = max(0, min(parts, start))
        let (first, last) = (edge(start), edge(start + max(0, min(parts - start, length))))
        guard first == last else { return (first, last) }
        return first < low + span ? (first, first + 1) : (first - 1, first)
    }

    private static func edges(from start: Int, _ length: Int, of whole: Int) -> (Int, Int) {
        let whole = max(1, whole)
        func edge(_ part: Int) -> Int { part >= parts ? whole : (whole * part + parts / 2) / parts & ~1 }
        let start = max(0, min(parts, start))
        var (low, high) = (edge(start), edge(start + max(0, min(parts - start, length))))
        if high - low < min(2, whole) {
            low = min(low, (whole - 1) & ~1)
            high = min(whole, low + 2)
        }
        return (low, high)
    }
}
