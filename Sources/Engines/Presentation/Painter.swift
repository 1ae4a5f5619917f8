// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import Typesetting

/// Draws pictures and slates into canvases of the stage's size. Used by the render thread alone.
final class Painter {
    private static let background = (blue: UInt8(0x38), green: UInt8(0x20), red: UInt8(0x10))
    /// An output swaps two canvases: what is around the picture is cleared in both when the picture moves.
    private static let canvases = 2

    private let size: PixelSize
    private var converter = VideoConverter()
    private var text: TextRenderer?
    private var covered: PixelRectangle?
    private var clearsLeft = 0

    init(size: PixelSize) { self.size = size }

    /// - Parameter field: the one shown of an interlaced picture; nil: all of it.
    func draw(
        _ frame: borrowing VideoFrame, field: VideoFrame.Field?, on canvas: borrowing CanvasBuffer
    ) throws {
        let picture = PixelSize(width: frame.width, height: frame.height)
        let rectangle = PixelRectangle.fitting(picture, pixelAspect: frame.pixelAspect, in: size)
        if rectangle != covered {
            covered = rectangle
            clearsLeft = rectangle.size == size ? 0 : Self.canvases
        }
        if clearsLeft > 0 {
            clearsLeft -= 1
            canvas.fill(blue: 0, green: 0, red: 0)
        }
        try converter.draw(frame, field: field, in: rectangle, of: canvas)
    }

    func draw(_ slate: Slate, on canvas: borrowing CanvasBuffer) throws {
        covered = nil
        canvas.fill(blue: Self.background.blue, green: Self.background.green, red: Self.background.red)
        // Fonts are looked for when there is something to write for the first time.
        if text == nil { text = try TextRenderer() }
        try text?.draw(texts(of: slate), on: canvas)
    }

    private func texts(of slate: Slate) -> [Text] {
        let line = max(14, size.height / 22)
        let margin = size.width / 12
        let width = size.width - 2 * margin
        let title = Text(
            slate.title, x: margin, y: size.height / 4, anchor: .bottomLeft, maxWidth: width,
            style: TextStyle(height: line * 2, isBold: true))
        let lines = slate.lines.enumerated().map { index, string in
            Text(
                string, x: margin, y: size.height / 4 + line + index * line * 3 / 2, maxWidth: width,
                style: TextStyle(height: line))
        }
        return [title] + lines
    }
}
