// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System

/// Has a GPU draw a stage into framebuffers of its card.
/// - Thread: the render thread's alone.
protocol ScreenPainter: AnyObject {
    /// The only card whose planes can show them.
    var card: any KMSDevice { get }

    /// Makes a black buffer that the plane can show.
    func makeCanvasFramebuffer(_ size: PixelSize, for plane: UInt32) throws(DisplayError) -> any ScanoutBuffer

    /// Sets where the next drawing goes.
    /// - Parameter buffer: one of its own, of the stage's size; nil for the canvas.
    func aim(at buffer: (any ScanoutBuffer)?)

    /// Whether the buffer that was aimed at has been drawn since; if not, the canvas has.
    var hasDrawn: Bool { get }

    /// A fence that is signalled when the buffer is drawn, if the plane can wait for one; nil if it is drawn.
    func takeFence() -> FileDescriptor?

    /// - Parameter canvas: of the stage's size.
    func draw(_ canvas: borrowing CanvasBuffer, on buffer: any ScanoutBuffer) throws(DisplayError)
    func read(_ buffer: any ScanoutBuffer, into canvas: borrowing CanvasBuffer) throws(DisplayError)

    /// The plane does not accept fences.
    func forgoFences()

    /// Nothing that it has drawn can be shown; the compositor gets the reason.
    func giveUp(_ why: DisplayError)
}
