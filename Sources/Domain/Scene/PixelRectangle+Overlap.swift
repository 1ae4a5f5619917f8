// SPDX-License-Identifier: Apache-2.0

extension PixelRectangle {
    public var right: Int { x + size.width }
    public var bottom: Int { y + size.height }
    public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    public func contains(_ other: PixelRectangle) -> Bool {
        other.x >= x && other.y >= y && other.right <= right && other.bottom <= bottom
    }

    /// The pixels that both cover; empty when they do not overlap.
    public func intersection(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return PixelRectangle(
            x: left, y: top,
            size: PixelSize(
                width: max(0, min(right, other.right) - left), height: max(0, min(bottom, other.bottom) - top)))
    }

    /// The smallest rectangle that covers both.
    public func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top,
            size: PixelSize(width: max(right, other.right) - left, height: max(bottom, other.bottom) - top))
    }
}
