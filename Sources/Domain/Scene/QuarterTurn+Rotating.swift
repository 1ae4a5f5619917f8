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
}
