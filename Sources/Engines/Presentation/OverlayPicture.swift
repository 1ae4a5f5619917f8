// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Timelines

/// A picture over the video, with its place on the stage. Pixels are blue, green, red, alpha; colours are premultiplied
/// by alpha. It is typeset on another thread, and immutable once it is posted.
public final class OverlayPicture: @unchecked Sendable {
    // Sendable: its maker draws before posting it; from then on it is only read.
    public let canvas: CanvasBuffer
    /// Left edge on the stage. Parts outside the stage are cut off.
    public let x: Int
    public let y: Int
    /// The pictures of the main region with which it is shown; nil for always.
    public let pictures: StampSpan?

    public init(_ canvas: consuming CanvasBuffer, x: Int, y: Int, pictures: StampSpan? = nil) {
        self.pictures = pictures
        self.canvas = canvas
        self.x = x
        self.y = y
    }
}
