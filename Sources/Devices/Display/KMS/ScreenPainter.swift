// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System

/// Has a GPU draw a stage into what a card shows.
/// - Thread: the render thread.
protocol ScreenPainter: AnyObject {
    /// The only one whose planes can show it.
    var card: any KMSDevice { get }

    /// Black.
    func makeCanvasFramebuffer(_ size: PixelSize, for plane: UInt32) throws(DisplayError) -> any ScanoutBuffer

    /// What is drawn next goes there: one of its own, of the stage's size; nil: to the canvas.
    func aim(at buffer: (any ScanoutBuffer)?)

    /// Whether what was aimed at is drawn since. If not, the canvas is.
    var hasDrawn: Bool { get }

    /// When it will be, if the plane can wait for that; nil: it is.
    func takeFence() -> FileDescriptor?

    /// - Parameter canvas: of the stage's size.
    func draw(_ canvas: borrowing CanvasBuffer, on buffer: any ScanoutBuffer) throws(DisplayError)
    func read(_ buffer: any ScanoutBuffer, into canvas: borrowing CanvasBuffer) throws(DisplayError)

    /// The plane does not wait.
    func forgoFences()

    /// Nothing that it has drawn can be shown: who draws is told why.
    func giveUp(_ why: DisplayError)
}
