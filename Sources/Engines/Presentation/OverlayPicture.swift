// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A picture with its place on the stage: blue, green, red, alpha, the colours multiplied by alpha already. Typeset on
/// another thread and never changed after it was posted.
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
