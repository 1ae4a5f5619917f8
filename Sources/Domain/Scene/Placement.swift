// SPDX-License-Identifier: Apache-2.0

/// How a picture is drawn: its part `crop` is scaled, turned and drawn into all of `destination`.
public struct Placement: Hashable, Sendable {
    /// A part of the picture as it was coded; its origin is even.
    public var crop: PixelRectangle
    /// A rectangle of the stage.
    public var destination: PixelRectangle
    public var rotation: QuarterTurn
    /// 0 is invisible, 255 is opaque.
    public var opacity: Int

    public init(crop: PixelRectangle, destination: PixelRectangle, rotation: QuarterTurn = .upright, opacity: Int = 255)
    {
        self.crop = crop
        self.destination = destination
        self.rotation = rotation
        self.opacity = opacity
    }
}
