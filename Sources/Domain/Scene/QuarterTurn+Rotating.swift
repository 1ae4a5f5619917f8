// SPDX-License-Identifier: Apache-2.0

extension QuarterTurn {
    /// The rotation that undoes this one.
    public var inverse: QuarterTurn {
        switch self {
        case .upright: .upright
        case .quarter: .threeQuarters
        case .half: .half
        case .threeQuarters: .quarter
        }
    }

    /// The size of a picture after its rotation.
    public func rotated(_ size: PixelSize) -> PixelSize {
        isSideways ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Where a part of a picture is after the picture's rotation.
    /// - Parameter picture: the size before the rotation.
    public func rotated(_ part: PixelRectangle, in picture: PixelSize) -> PixelRectangle {
        let right = picture.width - part.x - part.size.width
        let below = picture.height - part.y - part.size.height
        let (x, y) =
            switch self {
            case .upright: (part.x, part.y)
            case .quarter: (below, part.x)
            case .half: (right, below)
            case .threeQuarters: (part.y, right)
            }
        return PixelRectangle(x: x, y: y, size: rotated(part.size))
    }

    /// How the pixels of a picture are read so that it comes out rotated.
    /// - Parameter size: before the rotation.
    /// - Returns: the pixel that is seen on the upper left, and the steps in the picture to those that are seen to the
    ///   right of a pixel and below it.
    public func reading(
        of size: PixelSize
    ) -> (first: (x: Int, y: Int), right: (x: Int, y: Int), below: (x: Int, y: Int)) {
        let last = (x: size.width - 1, y: size.height - 1)
        return switch self {
        case .upright: (first: (0, 0), right: (1, 0), below: (0, 1))
        case .quarter: (first: (0, last.y), right: (0, -1), below: (1, 0))
        case .half: (first: last, right: (-1, 0), below: (0, -1))
        case .threeQuarters: (first: (last.x, 0), right: (0, 1), below: (-1, 0))
        }
    }
}
