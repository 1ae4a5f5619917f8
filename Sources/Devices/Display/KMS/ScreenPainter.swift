// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System

/// Draws a stage into framebuffers of a card by the card's GPU.
/// - Thread: the render thread only.
protocol ScreenPainter: AnyObject {
    /// The only card whose planes can show the framebuffers.
    var card: any KMSDevice { get }

    /// Makes a black buffer that the plane can show, of the mode's size. The stage is drawn there as it is mounted.
    func makeCanvasFramebuffer(_ size: PixelSize, for plane: UInt32) throws(DisplayError) -> any ScanoutBuffer

    /// Sets the target of the next drawing.
    /// - Parameter buffer: one of its own buffers; nil for the canvas in memory.
    func aim(at buffer: (any ScanoutBuffer)?)

    /// True if the last drawing went to the target that `aim` set; false if it went to the canvas in memory instead.
    var hasDrawn: Bool { get }

    /// A fence that is signalled when the buffer is drawn; nil if it is drawn already or the plane cannot wait for
    /// fences.
    func takeFence() -> FileDescriptor?

    /// Draws the canvas on a buffer.
    /// - Parameter canvas: has the stage's size.
    func draw(_ canvas: borrowing CanvasBuffer, on buffer: any ScanoutBuffer) throws(DisplayError)
    func read(_ buffer: any ScanoutBuffer, into canvas: borrowing CanvasBuffer) throws(DisplayError)

    /// Stops using fences, because the plane does not accept them.
    func forgoFences()

    /// Stops drawing, because nothing drawn can be shown; the compositor gets the reason.
    func giveUp(_ why: DisplayError)
}
