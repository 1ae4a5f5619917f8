// SPDX-License-Identifier: Apache-2.0

/// A part of the stage that shows the pictures of one session, or a slate.
public struct Region: Hashable, Sendable {
    /// The name to which sessions are bound. A region keeps its picture in every layout that has one of its name.
    public var name: String
    /// The part of the stage that the region covers; black fills what the picture leaves free.
    public var area: SceneArea
    public var fit: PictureFit
    /// The part of the picture that is shown.
    public var crop: SceneArea
    public var rotation: QuarterTurn
    /// Regions of higher order lie above; among equals, those that come later in the layout.
    public var order: Int
    /// Percent: 0 is invisible, 100 is opaque.
    public var opacity: Int
    /// The part of the region that is on the stage, scaled to all of `area`. It is less than the whole only when a
    /// viewport cuts the region.
    public var part = SceneArea.whole
    /// Compared before `order`. Regions of layouts are always in the layer video.
    public var layer: StageLayer

    public init(
        name: String, area: SceneArea = .whole, fit: PictureFit = .fit, crop: SceneArea = .whole,
        rotation: QuarterTurn = .upright, order: Int = 0, opacity: Int = 100,
        layer: StageLayer = .video
    ) {
        self.name = name
        self.area = area
        self.fit = fit
        self.crop = crop
        self.rotation = rotation
        self.order = order
        self.opacity = opacity
        self.layer = layer
    }
}
