// SPDX-License-Identifier: Apache-2.0
import Bytes
import Codecs
import Conversion
import Layouts
import Media
import Presentation
import Scene

extension Screenshot {
    /// The picture as a PNG file, scaled if the style wants it narrower than the stage (G-41).
    func png(_ style: ScreenshotStyle) throws -> ScreenshotFile {
        guard let width = style.width, width < canvas.width else { return try Self.file(of: canvas) }
        let small = Self.size(of: size, at: width)
        let scaled = CanvasBuffer(width: small.width, height: small.height)
        try CanvasScaler(from: size, toCanvasOf: small).scale(canvas, to: scaled)
        return try Self.file(of: scaled)
    }

    /// A size of this width and of the same aspect ratio.
    static func size(of stage: PixelSize, at width: Int) -> PixelSize {
        PixelSize(width: width, height: max(1, (stage.height * width + stage.width / 2) / stage.width))
    }

    private static func file(of canvas: borrowing CanvasBuffer) throws -> ScreenshotFile {
        let png = try PNG.encode(canvas)
        return ScreenshotFile(png: Base64.encode(png), width: canvas.width, height: canvas.height)
    }
}
