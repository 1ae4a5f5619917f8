// SPDX-License-Identifier: Apache-2.0

/// A part of the stage that shows one session's pictures, or a slate.
public struct Region: Hashable, Sendable {
    /// What sessions are bound to; a region keeps its picture in every layout that has one of its name.
    public var name: String
    /// Of the stage. The region covers all of it, with black where a picture is not as wide or as high.
    public var area: SceneArea
    public var fit: PictureFit
    /// Of the picture: the only part shown.
    public var crop: SceneArea
    public var rotation: QuarterTurn
    /// Regions of a higher one lie above; of the same, those that come later in the layout.
    public var order: Int
    /// Percent: 0 is invisible, 100 opaque.
    public var opacity: Int
    /// Of what it would be as a whole: the only part that is on the stage, in all of `area`. Others than the whole are a
    /// viewport's.
    public var part = SceneArea.whole
    /// Before `order`: of layouts always video.
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
