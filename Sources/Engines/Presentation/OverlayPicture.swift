// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A picture over the video, with its place on the stage: blue, green, red, alpha, with colours multiplied by alpha.
/// Typeset on another thread and immutable once it is posted.
public final class OverlayPicture: @unchecked Sendable {
    // Sendable: its maker draws before it posts; from then on everybody reads.
    public let canvas: CanvasBuffer
    /// What lies outside the stage is cut off.
    public let x: Int
    public let y: Int

    public init(_ canvas: consuming CanvasBuffer, x: Int, y: Int) {
        self.canvas = canvas
        self.x = x
        self.y = y
    }
}
