// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A frame number in the top rows of a picture that a machine can read back after coding, scaling and loss.
///
/// It has two strips of 34 blocks; each block is a 34th of the width wide and 16 rows high. The first strip is white,
/// then 32 bits from the most significant (white is 1), then black. The second strip is its complement: unless every
/// block differs clearly from the one below it, the number is not believed.
public enum FrameCounterCode {
    public static let blocks = 34
    public static let stripRows = 16
    public static let rows = 2 * stripRows
    /// Width of the narrowest picture that can carry the code: blocks of 8 pixels.
    public static let smallestWidth = blocks * 8

    private static let black: UInt8 = 16
    private static let white: UInt8 = 235
    /// Least difference of luma (0...219) between a block and its complement; with less, one of the two is damaged.
    private static let smallestContrast = 120

    /// Whether the block of the upper strip is white.
    static func isWhite(_ block: Int, of number: UInt32) -> Bool {
        switch block {
        case 0: true
        case 1...32: number >> UInt32(32 - block) & 1 == 1
        default: false
        }
    }

    /// - Parameter picture: at least `smallestWidth` wide and `rows` high; its chroma there must be neutral already.
    public static func write(_ number: UInt32, to picture: borrowing PictureBuffer) {
        precondition(picture.width >= smallestWidth && picture.height >= rows)
        let width = picture.width / blocks
        for block in 0..<blocks {
            let isWhite = isWhite(block, of: number)
            picture.fillLuma(x: block * width, y: 0, width: width, height: stripRows, isWhite ? white : black)
            picture.fillLuma(x: block * width, y: stripRows, width: width, height: stripRows, isWhite ? black : white)
        }
    }

    /// - Parameter luma: gives the luma, 0...255, at a point of the coded picture; called near the middles of blocks
    ///   only.
    /// - Returns: nil when there is no code, or a damaged one.
    public static func read(width: Int, luma: (_ x: Int, _ y: Int) -> UInt8) -> UInt32? {
        guard width >= smallestWidth else { return nil }
        let blockWidth = width / blocks
        func level(_ block: Int, _ strip: Int) -> Int {
            let (x, y) = (block * blockWidth + blockWidth / 2, strip * stripRows + stripRows / 2)
            return
                (Int(luma(x - 1, y - 1)) + Int(luma(x + 1, y - 1)) + Int(luma(x - 1, y + 1)) + Int(luma(x + 1, y + 1)))
                / 4
        }
        var number: UInt32 = 0
        for block in 0..<blocks {
            let contrast = level(block, 0) - level(block, 1)
            guard abs(contrast) >= smallestContrast else { return nil }
            switch block {
            case 0: if contrast < 0 { return nil }
            case 1...32: number = number << 1 | (contrast > 0 ? 1 : 0)
            default: if contrast > 0 { return nil }
            }
        }
        return number
    }

    /// Reads the code from a decoded picture of 8 bits a sample.
    public static func read(_ frame: borrowing VideoFrame) -> UInt32? {
        guard frame.height >= rows else { return nil }
        let plane = frame.planes.0
        return read(width: frame.width) { (plane.base + $1 * plane.stride + $0).load(as: UInt8.self) }
    }

    /// Reads the code from a canvas on which the picture was drawn.
    /// - Parameters:
    ///   - rectangle: where the picture was drawn; nil for all of the canvas.
    ///   - size: size of the coded picture; nil if it was drawn unscaled.
    public static func read(
        _ canvas: borrowing CanvasBuffer, in rectangle: PixelRectangle? = nil, of size: PixelSize? = nil
    ) -> UInt32? {
        let all = PixelRectangle(x: 0, y: 0, size: PixelSize(width: canvas.width, height: canvas.height))
        let place = rectangle ?? all
        let size = size ?? place.size
        guard place.x >= 0, place.y >= 0, place.x + place.size.width <= canvas.width,
            place.y + place.size.height <= canvas.height, size.width > 0, size.height >= rows
        else { return nil }
        let (bytes, stride) = (canvas.bytes, canvas.stride)
        return read(width: size.width) { x, y in
            let column = place.x + min(place.size.width - 1, x * place.size.width / size.width)
            let row = place.y + min(place.size.height - 1, y * place.size.height / size.height)
            return bytes[row * stride + column * 4 + 1]  // green: the code is grey
        }
    }
}
