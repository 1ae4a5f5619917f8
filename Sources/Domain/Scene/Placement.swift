// SPDX-License-Identifier: Apache-2.0

/// Where a picture goes: `crop` of it is scaled, turned and drawn into all of `destination`.
public struct Placement: Hashable, Sendable {
    /// Of the picture as it was coded; its origin is even.
    public var crop: PixelRectangle
    /// On the stage.
    public var destination: PixelRectangle
    public var rotation: QuarterTurn
    /// 0...255.
    public var opacity: Int

    public init(crop: PixelRectangle, destination: PixelRectangle, rotation: QuarterTurn = .upright, opacity: Int = 255)
    {
        self.crop = crop
        self.destination = destination
        self.rotation = rotation
        self.opacity = opacity
    }
}
