// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Typesetting

/// Draws slates.
/// - Thread: the render thread.
struct SlatePainter: ~Copyable {
    /// The colour of slates and of areas without a region, 0xAARRGGBB.
    static let background: UInt32 = 0xff10_2038

    private var text: TextRenderer?

    init() {}

    /// Draws the slate on the whole canvas.
    mutating func draw(_ slate: Slate, on canvas: borrowing CanvasBuffer) throws {
        let size = PixelSize(width: canvas.width, height: canvas.height)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: size), Self.background)
        // Fonts are searched when the first text is written.
        if text == nil { text = try TextRenderer() }
        try text?.draw(Self.texts(of: slate, in: size), on: canvas)
    }

    private static func texts(of slate: Slate, in size: PixelSize) -> [Text] {
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
