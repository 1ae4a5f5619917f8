// SPDX-License-Identifier: Apache-2.0
internal import CLibASS
import Media

/// Draws text onto canvases by libass. Slates, the OSD and the labels of the test card all come through here.
/// - Thread: one, which owns it.
public struct TextRenderer: ~Copyable {
    private var track: ScriptTrack

    /// - Throws: `.noFont` when not even a letter can be drawn.
    public init() throws(TypesettingError) {
        var track = try ScriptTrack()
        let canvas = CanvasBuffer(width: 64, height: 64)
        let letter = Text("X", x: 0, y: 0, style: TextStyle(height: 40))
        guard try track.render([letter], width: 64, height: 64).blend(onto: canvas) > 0 else {
            throw .noFont(letter.style.family.rawValue)
        }
        self.track = track
    }

    /// Draws all texts over what the canvas shows; what lies outside of it is cut off.
    /// - Returns: how many pixels got ink.
    @discardableResult
    public mutating func draw(_ texts: [Text], on canvas: borrowing CanvasBuffer) throws(TypesettingError) -> Int {
        try track.render(texts, width: canvas.width, height: canvas.height).blend(onto: canvas)
    }
}

extension UnsafeMutablePointer<ASS_Image>? {
    /// Blends the list of images.
    fileprivate func blend(onto canvas: borrowing CanvasBuffer) -> Int {
        var ink = 0
        var next = self
        while let image = next {
            ink += image.pointee.blend(onto: canvas)
            next = image.pointee.next
        }
        return ink
    }
}

extension ASS_Image {
    /// - Returns: pixels with ink.
    fileprivate func blend(onto canvas: borrowing CanvasBuffer) -> Int {
        guard let bitmap, let pixels = canvas.bytes.baseAddress else { return 0 }
        let opacity = 255 - (color & 0xff)
        let (red, green, blue) = (color >> 24, color >> 16 & 0xff, color >> 8 & 0xff)
        let columns = max(0, -Int(dst_x))..<max(max(0, -Int(dst_x)), min(Int(w), canvas.width - Int(dst_x)))
        let rows = max(0, -Int(dst_y))..<max(max(0, -Int(dst_y)), min(Int(h), canvas.height - Int(dst_y)))
        var ink = 0
        for row in rows {
            let coverage = bitmap + row * Int(stride)
            let line = (pixels + (Int(dst_y) + row) * canvas.stride + Int(dst_x) * 4)
                .assumingMemoryBound(to: UInt8.self)
            for column in columns where coverage[column] != 0 {
                let weight = UInt32(coverage[column]) &* opacity
                let pixel = line + column &* 4
                pixel[0] = mix(UInt32(pixel[0]), blue, weight)
                pixel[1] = mix(UInt32(pixel[1]), green, weight)
                pixel[2] = mix(UInt32(pixel[2]), red, weight)
                ink += 1
            }
        }
        return ink
    }
}

/// - Parameter weight: 0...255 * 255 of `new`.
private func mix(_ old: UInt32, _ new: UInt32, _ weight: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: (old &* (65_025 &- weight) &+ new &* weight &+ 32_512) / 65_025)
}
