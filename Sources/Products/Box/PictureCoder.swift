// SPDX-License-Identifier: Apache-2.0
import Codecs
import Conversion
import Media
import Scene

/// Encodes canvases as JPEG files of a given width.
/// - Thread: the one that owns it.
final class PictureCoder {
    private let scaler: CanvasScaler
    private let picture: PictureBuffer
    private let encoder: JPEGEncoder

    /// - Parameters:
    ///   - size: the size of the canvases.
    ///   - width: the greatest width of a picture in pixels. Canvases are not enlarged.
    init(of size: PixelSize, width: Int, quality: Int) throws {
        let scaled = Self.scaled(size, to: width)
        let scaler = try CanvasScaler(from: size, to: scaled)
        encoder = try JPEGEncoder(width: scaled.width, height: scaled.height, quality: quality)
        self.scaler = scaler
        picture = PictureBuffer(width: scaled.width, height: scaled.height)
    }

    func encode(_ canvas: borrowing CanvasBuffer) throws -> [UInt8] {
        try scaler.scale(canvas, to: picture)
        return try encoder.encode(picture)
    }

    /// A size of the same aspect ratio whose width and height are even.
    static func scaled(_ size: PixelSize, to width: Int) -> PixelSize {
        let width = min(size.width, width)
        let height = (size.height * width + size.width / 2) / size.width
        return PixelSize(width: max(2, width & ~1), height: max(2, height & ~1))
    }
}
