// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// Holds the scene and draws it, in software or by OpenGL ES.
/// - Thread: the render thread.
protocol SceneCompositor: AnyObject {
    /// The regions from back to front.
    var tiles: [Tile] { get }
    var ticker: TickerMotion? { get }
    /// Whether a ticker runs or a cross-fade is in progress.
    var isMoving: Bool { get }
    /// The number of pictures that could not be drawn, and the reason for the first.
    var errors: (count: Int64, first: String?) { get }
    /// The number of pictures that were drawn from their decoder's memory without a copy, and the last reason why a
    /// picture had to be copied.
    var imports: (count: Int64, refusal: String?) { get }

    /// - Parameter regions: from back to front.
    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic)

    /// The next present shows another picture, field or slate in this region.
    func contentChanged(of state: RegionState)
    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane)
    func setTicker(_ strip: TickerStrip?)

    /// Advances tickers and cross-fades by one frame.
    /// - Parameter position: the time stamp that the main region presents then, as a span; nil if it shows no picture.
    func advance(to now: Monotonic, at position: Nanoseconds?)

    /// Draws the scene on one of the output's canvases.
    /// - Parameter index: the index of the canvas, 0 or 1.
    func compose(_ canvas: borrowing CanvasBuffer, index: Int)

    /// Draws the whole scene, independent of what the canvas holds.
    func paint(on canvas: borrowing CanvasBuffer)

    /// The tile whose picture can be shown on a plane below a canvas that is transparent there; nil if there is none.
    /// Its picture is opaque, upright and shown with all its rows.
    var separable: Tile? { get }

    /// Makes `compose` leave the area transparent except for what lies above the tile; nil ends that.
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?)

    /// Whether this canvas shows the present state of the scene.
    func isCurrent(index: Int) -> Bool

    /// Adds the picture that was left out to a copy of the canvas that was composed last.
    func complete(_ canvas: borrowing CanvasBuffer)
}

extension SceneCompositor {
    var imports: (count: Int64, refusal: String?) { (0, nil) }
    var separable: Tile? { nil }
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?) {}
    func isCurrent(index: Int) -> Bool { false }
    func complete(_ canvas: borrowing CanvasBuffer) {}
}
