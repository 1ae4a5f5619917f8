// SPDX-License-Identifier: Apache-2.0
internal import CLibASS
import Media

/// Draws text and shapes onto canvases by libass. Slates, the screen text and the labels of the test card are drawn by
/// it.
///
/// A transparent canvas (all 0) gets colours premultiplied by the opacity, which is the fourth octet of a pixel. On an
/// opaque canvas that octet has no meaning.
/// - Thread: one, which owns it.
public struct TextRenderer: ~Copyable {
    private var track: ScriptTrack

    /// - Throws: `.noFont` if not even one letter can be drawn.
    public init() throws(TypesettingError) {
        var track = try ScriptTrack()
        let canvas = CanvasBuffer(width: 64, height: 64)
        let letter = Text("X", x: 0, y: 0, style: TextStyle(height: 40))
        guard try track.render([.text(letter)]).blend(onto: canvas) > 0 else {
            throw .noFont(letter.style.family.rawValue)
        }
        self.track = track
    }

    /// Draws all texts over the canvas's content; what lies outside the canvas is cut off.
    /// - Returns: number of pixels drawn.
    @discardableResult
    public mutating func draw(_ texts: [Text], on canvas: borrowing CanvasBuffer) throws(TypesettingError) -> Int {
        try draw(texts.map { .text($0) }, on: canvas)
    }

    /// Draws each drawing over those before it.
    /// - Returns: number of pixels drawn.
    @discardableResult
    public mutating func draw(_ drawings: [Drawing], on canvas: borrowing CanvasBuffer) throws(TypesettingError) -> Int
    {
        var fitted = drawings
        for (index, drawing) in drawings.enumerated() {
            guard case .text(var text) = drawing, case .cut(let width) = text.overflow else { continue }
            text.string = try fit(text.string, in: width, style: text.style)
            fitted[index] = .text(text)
        }
        return try track.render(fitted).blend(onto: canvas)
    }

    /// Pixels from the text's position to the far edges of its ink, as if it stood at the top left; 0...16 384.
    public mutating func extent(of text: Text) throws(TypesettingError) -> (width: Int, height: Int) {
        var text = text
        (text.x, text.y, text.anchor) = (0, 0, .topLeft)
        var (width, height) = (0, 0)
        var next = try track.render([.text(text)])
        while let image = next {
            width = max(width, Int(image.pointee.dst_x) + Int(image.pointee.w))
            height = max(height, Int(image.pointee.dst_y) + Int(image.pointee.h))
            next = image.pointee.next
        }
        return (width, height)
    }

    public mutating func width(of string: String, style: TextStyle) throws(TypesettingError) -> Int {
        try extent(of: Text(string, x: 0, y: 0, style: style)).width
    }

    /// The longest prefix of `string` that fits `width` pixels with "…" after it; the whole string if that fits.
    public mutating func fit(
        _ string: String, in width: Int, style: TextStyle
    ) throws(TypesettingError) -> String {
        guard try self.width(of: string, style: style) > width else { return string }
        let characters = Array(string.prefix(Text.longest))
        let fitting = try LineBreaks.longest(max(0, characters.count - 1)) { (count) throws(TypesettingError) in
            try self.width(of: String(characters[..<count]) + "…", style: style) <= width
        }
        return String(characters[..<fitting]) + "…"
    }

    /// A text in lines of at most `width` pixels, broken where its script permits it, and where that does not do,
    /// between any two characters.
    /// - Parameter limit: the most lines, at least 1; the last one ends in "…" if there would be more.
    public mutating func lines(
        of string: String, in width: Int, style: TextStyle, limit: Int
    ) throws(TypesettingError) -> [String] {
        var paragraphs = string.prefix(Text.longest).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        var lines: [String] = []
        while let paragraph = paragraphs.popFirst() {
            var rest = LineBreaks(String(paragraph))
            repeat {
                guard lines.count < limit - 1 else {
                    let left = ([rest.text] + paragraphs.map { String($0) }).joined(separator: " ")
                    return lines + [try fit(left, in: width, style: style)]
                }
                lines.append(
                    try rest.takeLine { (line) throws(TypesettingError) in
                        try self.width(of: line, style: style) <= width
                    })
            } while !rest.isEmpty
        }
        return lines
    }
}

extension UnsafeMutablePointer<ASS_Image>? {
    /// - Returns: number of pixels drawn by all images of the list.
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
    /// - Returns: number of pixels drawn.
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
                pixel[3] = mix(UInt32(pixel[3]), 255, weight)
                ink += 1
            }
        }
        return ink
    }
}

/// - Parameter weight: share of `new`, 0...255 * 255.
private func mix(_ old: UInt32, _ new: UInt32, _ weight: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: (old &* (65_025 &- weight) &+ new &* weight &+ 32_512) / 65_025)
}
