// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A copy of what is on the stage. Whoever wants one makes it, so that the render thread allocates nothing, and gets it
/// back in `StageReport.screenshotTaken`.
public final class Screenshot: @unchecked Sendable {
    // Sendable: one owner at a time: the asker, the render thread from `takeScreenshot` on, the asker again.
    public let ticket: Int
    public let canvas: CanvasBuffer

    public init(ticket: Int, size: PixelSize) {
        self.ticket = ticket
        canvas = CanvasBuffer(width: size.width, height: size.height)
    }
}
