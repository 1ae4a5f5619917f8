// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Drawing of pixels in software. Pixels are 0xAARRGGBB words, of which two channels are computed at a time, so that
/// the loops become vector code. Rectangles must lie inside the canvas. Quotients by 255 are rounded to the nearest.
extension CanvasBuffer {
    /// Replaces the pixels of a rectangle by a colour, weighted by its opacity.
    /// - Parameter opacity: 0...255.
    func fill(_ rectangle: PixelRectangle, _ colour: UInt32, opacity: Int = 255) {
        let weight = UInt32(truncatingIfNeeded: opacity)
        for row in 0..<max(0, rectangle.size.height) {
            let line = pixels(rectangle.x, rectangle.y + row)
            if opacity == 255 {
                line.update(repeating: colour, count: rectangle.size.width)
            } else {
                for column in 0..<rectangle.size.width { line[column] = mix(line[column], colour, weight) }
            }
        }
    }

    /// Draws a colour over the pixels of a rectangle.
    /// - Parameter colour: premultiplied.
    func blend(_ rectangle: PixelRectangle, _ colour: UInt32) {
        guard colour >> 24 > 0 else { return }
        for row in 0..<max(0, rectangle.size.height) {
            let line = pixels(rectangle.x, rectangle.y + row)
            for column in 0..<rectangle.size.width { line[column] = over(line[column], colour) }
        }
    }

    /// Draws the part of `other` that lies in `clip` when its origin is at `x`, `y`. The alpha of `other` is ignored.
    /// - Parameter opacity: 0...255.
    func draw(_ other: borrowing CanvasBuffer, x: Int, y: Int, in clip: PixelRectangle, opacity: Int = 255) {
        let weight = UInt32(truncatingIfNeeded: opacity)
        for row in 0..<max(0, clip.size.height) {
            let line = pixels(clip.x, clip.y + row)
            let source = UnsafePointer(other.pixels(clip.x - x, clip.y + row - y))
            if opacity == 255 {
                for column in 0..<clip.size.width { line[column] = source[column] | 0xff00_0000 }
            } else {
                for column in 0..<clip.size.width {
                    line[column] = mix(line[column], source[column] | 0xff00_0000, weight)
                }
            }
        }
    }

    /// Draws the part of `other` that lies in `clip` when its origin is at `x`, `y`; `other` is premultiplied.
    func blend(_ other: borrowing CanvasBuffer, x: Int, y: Int, in clip: PixelRectangle) {
        for row in 0..<max(0, clip.size.height) {
            let line = pixels(clip.x, clip.y + row)
            let source = UnsafePointer(other.pixels(clip.x - x, clip.y + row - y))
            for column in 0..<clip.size.width { line[column] = over(line[column], source[column]) }
        }
    }

    /// Sets this canvas to `weight` / 255 of `new` and the rest of `old`, which may be this canvas. All have one size.
    func mixture(of old: borrowing CanvasBuffer, and new: borrowing CanvasBuffer, weight: Int) {
        let weight = UInt32(truncatingIfNeeded: weight)
        for row in 0..<height {
            let line = pixels(0, row)
            let (before, after) = (UnsafePointer(old.pixels(0, row)), UnsafePointer(new.pixels(0, row)))
            for column in 0..<width { line[column] = mix(before[column], after[column], weight) }
        }
    }

    /// The pixels of row `y` from column `x` on.
    private func pixels(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt32> {
        guard let base = bytes.baseAddress else { preconditionFailure("a canvas of no pixels") }
        return (base + y * stride + x * 4).assumingMemoryBound(to: UInt32.self)
    }
}

/// Mask of every second octet; a shift by 8 brings the others under it.
private let channels: UInt32 = 0x00ff_00ff

@inline(__always)
private func mix(_ old: UInt32, _ new: UInt32, _ weight: UInt32) -> UInt32 {
    let rest = 255 &- weight
    let low = quotients((old & channels) &* rest &+ (new & channels) &* weight)
    let high = quotients((old &>> 8 & channels) &* rest &+ (new &>> 8 & channels) &* weight)
    return low | high &<< 8
}

@inline(__always)
private func over(_ below: UInt32, _ above: UInt32) -> UInt32 {
    let rest = 255 &- above &>> 24
    return above &+ (quotients((below & channels) &* rest) | quotients((below &>> 8 & channels) &* rest) &<< 8)
}

/// Divides two 16-bit numbers, each up to 255 * 255, by 255 and rounds to the nearest.
@inline(__always)
private func quotients(_ products: UInt32) -> UInt32 {
    let rounding = products &+ 0x0080_0080
    return (rounding &+ (rounding &>> 8 & channels)) &>> 8 & channels
}
