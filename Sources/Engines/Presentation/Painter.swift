// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import Typesetting

/// Draws pictures and slates into a canvas of the stage's size. Used by the render thread alone.
final class Painter {
    let canvas: CanvasBuffer
    private let size: PixelSize
    private var converter = VideoConverter()
    /// Where the last picture lay: what is around it is cleared when it moves.
    private var covered: PixelRectangle?

    init(size: PixelSize) {
        self.size = size
        canvas = CanvasBuffer(width: size.width, height: size.height)
    }

    func draw(_ frame: borrowing VideoFrame) throws {
        let picture = PixelSize(width: frame.width, height: frame.height)
        let rectangle = PixelRectangle.fitting(picture, pixelAspect: frame.pixelAspect, in: size)
        if rectangle != covered {
            canvas.fill(blue: 0, green: 0, red: 0)
            covered = rectangle
        }
        try converter.draw(frame, into: rectangle, of: canvas)
    }

    func draw(_ slate: Slate) throws {
        covered = nil
        canvas.fill(blue: 0x40, green: 0x28, red: 0x18)
        // TEXT
    }
}
