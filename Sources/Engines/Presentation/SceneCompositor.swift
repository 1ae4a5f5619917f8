// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// Keeps the scene and draws it, in software or by OpenGL ES.
/// - Thread: the render thread.
protocol SceneCompositor: AnyObject {
    /// Back to front.
    var tiles: [Tile] { get }
    var ticker: TickerMotion? { get }
    /// Whether a ticker or a cross-fade moves.
    var isMoving: Bool { get }
    /// Pictures that could not be drawn, and why the first of them.
    var errors: (count: Int64, first: String?) { get }
    /// Pictures that were drawn from their decoder's memory without a copy, and why the last that was not had to be
    /// copied.
    var imports: (count: Int64, refusal: String?) { get }

    /// - Parameter regions: back to front.
    func setRegions(_ regions: [(Region, RegionState)], _ transition: StageTransition, at now: Monotonic)

    /// The region is about to show something else.
    func contentChanged(of state: RegionState)
    func setOverlay(_ picture: OverlayPicture?, _ plane: OverlayPlane)
    func setTicker(_ strip: TickerStrip?)

    /// Moves on by one frame.
    func advance(to now: Monotonic)

    /// Draws the scene on the output's canvas.
    /// - Parameter index: which of the output's two canvases it is.
    func compose(_ canvas: borrowing CanvasBuffer, index: Int)

    /// Draws the whole scene, whatever the canvas holds.
    func paint(on canvas: borrowing CanvasBuffer)

    /// The tile whose picture could be shown by itself, under a canvas that is transparent there; nil if there is none.
    /// Its picture is opaque, upright and whole.
    var separable: Tile? { get }

    /// Has `compose` leave the area transparent, but for what lies above the tile; nil has it opaque everywhere.
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?)

    /// Whether that canvas shows the scene as it is now.
    func isCurrent(index: Int) -> Bool

    /// Adds to a copy of the canvas composed last the picture that was left out of it.
    func complete(_ canvas: borrowing CanvasBuffer)
}

extension SceneCompositor {
    var imports: (count: Int64, refusal: String?) { (0, nil) }
    var separable: Tile? { nil }
    func leaveOut(_ part: (tile: Tile, area: PixelRectangle)?) {}
    func isCurrent(index: Int) -> Bool { false }
    func complete(_ canvas: borrowing CanvasBuffer) {}
}
