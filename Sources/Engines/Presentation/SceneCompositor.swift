// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// Keeps what the stage consists of and draws it: in software, or by OpenGL ES.
/// - Thread: the render thread.
protocol SceneCompositor: AnyObject {
    /// Back to front.
    var tiles: [Tile] { get }
    var ticker: TickerMotion? { get }
    /// Something moves by itself.
    var isMoving: Bool { get }
    /// Pictures that could not be drawn, and why the first of them.
    var errors: (count: Int64, first: String?) { get }
    /// Pictures that were drawn from the memory that their decoder shares, uncopied; and why the last that could not be
    /// was copied.
    var imports: (count: Int64, refusal: String?) { get }

    /// - Parameter regions: back to front.
    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic)

    /// The region shows something else.
    func contentChanged(of state: RegionState)
    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane)
    func setTicker(_ strip: TickerStrip?)

    /// The next frame of what moves by itself.
    func advance(to now: Monotonic)

    /// Makes the output's canvas what the scene is now.
    /// - Parameter index: which of the two it is.
    func compose(_ canvas: borrowing CanvasBuffer, index: Int)

    /// Draws the whole scene, whatever the canvas holds.
    func paint(on canvas: borrowing CanvasBuffer)

    /// The tile whose picture could be shown by itself, under a canvas that is transparent there: opaque, and as it was
    /// decoded. Nil: none.
    var separable: Tile? { get }

    /// From the next `compose` on, the canvas is transparent there, but for what lies above the tile; nil: it is opaque
    /// everywhere.
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?)

    /// Whether that canvas is what the scene is now.
    func isCurrent(index: Int) -> Bool

    /// Puts under a canvas that was composed last the picture that was left out of it.
    func complete(_ canvas: borrowing CanvasBuffer)
}

extension SceneCompositor {
    var imports: (count: Int64, refusal: String?) { (0, nil) }
    var separable: Tile? { nil }
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?) {}
    func isCurrent(index: Int) -> Bool { false }
    func complete(_ canvas: borrowing CanvasBuffer) {}
}
