// SPDX-License-Identifier: Apache-2.0

/// How the stage lies on a screen: rotated for a screen that hangs on its side or upside down, and away from the edges
/// that a screen cuts off.
public struct ScreenMounting: Hashable, Sendable {
    /// The rotation of the stage on the screen.
    public var rotation: QuarterTurn
    /// Percent of the screen's width that stay free on the left and on the right, and of its height above and below.
    public var overscanPercent: Int

    /// - Parameter overscanPercent: 0...10.
    public init(rotation: QuarterTurn = .upright, overscanPercent: Int = 0) {
        self.rotation = rotation
        self.overscanPercent = overscanPercent
    }

    /// The size of the stage that fills the free part of a screen.
    public func stage(on screen: PixelSize) -> PixelSize {
        func free(_ side: Int) -> Int { side - 2 * (side * overscanPercent / 100) }
        return rotation.rotated(PixelSize(width: free(screen.width), height: free(screen.height)))
    }

    /// What a screen shows of a stage. The stage is in the middle of the screen, pixel for pixel; what is larger than
    /// the screen is cut off at the edges.
    /// - Returns: the part of the stage that is seen, and the area of the screen where it is seen after the rotation.
    public func share(of stage: PixelSize, on screen: PixelSize) -> (part: PixelRectangle, area: PixelRectangle) {
        let rotated = rotation.rotated(stage)
        let size = PixelSize(width: min(rotated.width, screen.width), height: min(rotated.height, screen.height))
        func middle(of bounds: PixelSize) -> PixelRectangle {
            PixelRectangle(x: (bounds.width - size.width) / 2, y: (bounds.height - size.height) / 2, size: size)
        }
        return (rotation.inverse.rotated(middle(of: rotated), in: rotated), middle(of: screen))
    }
}
