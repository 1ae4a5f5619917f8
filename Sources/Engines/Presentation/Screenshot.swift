// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A copy of the stage's picture. The caller allocates it, so that the render thread does not, and gets it back in
/// `StageReport.screenshotTaken`.
public final class Screenshot: @unchecked Sendable {
    // Sendable: one owner at a time: the caller, then from `takeScreenshot` on the render thread, then the caller.
    public let ticket: Int
    public let canvas: CanvasBuffer

    public init(ticket: Int, size: PixelSize) {
        self.ticket = ticket
        canvas = CanvasBuffer(width: size.width, height: size.height)
    }

    public var size: PixelSize { PixelSize(width: canvas.width, height: canvas.height) }
}
