// SPDX-License-Identifier: Apache-2.0

/// A rectangle of whole pixels; the origin is at the top left.
public struct PixelRectangle: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var size: PixelSize

    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// The largest rectangle of the picture's shape in `bounds`, centred, on even pixels because chroma is subsampled.
    /// - Parameters:
    ///   - picture: coded size.
    ///   - pixelAspect: width of a pixel : its height; 1:1 if either is 0 or less.
    public static func fitting(
        _ picture: PixelSize, pixelAspect: (width: Int, height: Int) = (1, 1), in bounds: PixelSize
    ) -> PixelRectangle {
        let aspect = pixelAspect.width > 0 && pixelAspect.height > 0 ? pixelAspect : (width: 1, height: 1)
        let shape = (width: max(1, picture.width) * aspect.width, height: max(1, picture.height) * aspect.height)
        var size = PixelSize(width: bounds.width & ~1, height: bounds.height & ~1)
        if shape.width * bounds.height > bounds.width * shape.height {
            size.height = bounds.width * shape.height / shape.width & ~1
        } else {
            size.width = bounds.height * shape.width / shape.height & ~1
        }
        size = PixelSize(width: max(2, size.width), height: max(2, size.height))
        return PixelRectangle(
            x: (bounds.width - size.width) / 2 & ~1, y: (bounds.height - size.height) / 2 & ~1, size: size)
    }
}
