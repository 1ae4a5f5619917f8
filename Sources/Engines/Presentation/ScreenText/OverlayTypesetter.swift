// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Typesetting

/// Typesets contents into pictures.
/// - Thread: one thread, which is not the render thread, because fonts are searched and files are read.
final class OverlayTypesetter {
    private static let widestStrip = 16_384
    private static let bandOpacity: UInt32 = 200

    private let geometry: ScreenGeometry
    private var text: TextRenderer?

    init(_ geometry: ScreenGeometry) { self.geometry = geometry }

    func picture(of content: OverlayContent) throws(TypesettingError) -> OverlayPicture {
        let layout: OverlayLayout
        switch content {
        case .testCard(let card): return try picture(of: card)
        case .testCardMotion(let motion): return try picture(of: motion)
        case .statistics(let panel): layout = OverlayLayout(panel, in: geometry)
        case .banner(let banner): layout = OverlayLayout(banner, in: geometry)
        case .transport(let bar): layout = OverlayLayout(bar, in: geometry)
        case .volume(let bar): layout = OverlayLayout(bar, in: geometry)
        case .buffering: layout = OverlayLayout(bufferingIn: geometry)
        case .message(let message):
            layout = OverlayLayout(
                message, textHeight: try extent(of: OverlayLayout.text(of: message, in: geometry)).height,
                in: geometry)
        }
        let canvas = CanvasBuffer(width: max(1, layout.width), height: max(1, layout.height))
        try prepare()
        try text?.draw(layout.drawings, on: canvas)
        return OverlayPicture(canvas, x: layout.area.x, y: layout.area.y, pictures: content.pictures)
    }

    private func picture(of card: ScreenTestCard) throws(TypesettingError) -> OverlayPicture {
        let pattern = TestPattern(geometry.stage)
        let canvas = CanvasBuffer(width: pattern.size.width, height: pattern.size.height)
        for mark in pattern.marks { canvas.fill(mark.area, mark.colour) }
        try prepare()
        try text?.draw(TestCardLayout(pattern).texts(of: card), on: canvas)
        return OverlayPicture(canvas, x: 0, y: 0)
    }

    private func picture(of motion: TestCardMotion) throws(TypesettingError) -> OverlayPicture {
        let layout = TestCardLayout(TestPattern(geometry.stage))
        let area = layout.motion
        let canvas = CanvasBuffer(width: area.size.width, height: area.size.height)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: area.size), 0xff00_0000)
        canvas.fill(layout.block(of: motion), 0xffff_ffff)
        try prepare()
        try text?.draw(layout.texts(of: motion), on: canvas)
        return OverlayPicture(canvas, x: area.x, y: area.y)
    }

    /// A text that is too wide for a canvas is set at half the size, and cut if it is still too wide.
    func strip(of ticker: TickerText) throws(TypesettingError) -> TickerStrip {
        let area = geometry.ticker(ticker.position)
        let string = ticker.text.split { $0.isNewline }.joined(separator: " ")
        var line = Text(string, x: 0, y: 0, style: TextStyle(height: geometry.line))
        var width = try extent(of: line).width
        if width >= Self.widestStrip {
            // The full width is not known, because nothing is measured beyond the width of a canvas.
            line.style.height = max(4, geometry.line / 2)
            line.overflow = .cut(Self.widestStrip - 1)
            line.string = try fit(line)
            width = try extent(of: line).width
        }
        line.y = (area.size.height - line.style.height) / 2
        let canvas = CanvasBuffer(width: max(1, min(width, Self.widestStrip)), height: area.size.height)
        try text?.draw([line], on: canvas)
        let direction = geometry.direction ?? TextDirection(of: ticker.text)
        return TickerStrip(
            canvas, area: area, pixelsPerSecond: ticker.pixelsPerSecond ?? usualSpeed,
            direction: direction == .rightToLeft ? .rightwards : .leftwards, band: Self.band,
            isOnTimeline: ticker.isOnTimeline)
    }

    private var usualSpeed: Int { max(50, geometry.stage.width / 12 / 50 * 50) }

    private static var band: UInt32 {
        let colour = OverlayLayout.panel
        func part(_ value: UInt8) -> UInt32 { UInt32(value) * bandOpacity / 255 }
        return bandOpacity << 24 | part(colour.red) << 16 | part(colour.green) << 8 | part(colour.blue)
    }

    private func extent(of line: Text) throws(TypesettingError) -> (width: Int, height: Int) {
        try prepare()
        return try text?.extent(of: line) ?? (0, 0)
    }

    private func fit(_ line: Text) throws(TypesettingError) -> String {
        guard case .cut(let width) = line.overflow else { return line.string }
        try prepare()
        return try text?.fit(line.string, in: width, style: line.style) ?? line.string
    }

    /// Searches the fonts when the first text is set.
    private func prepare() throws(TypesettingError) {
        if text == nil { text = try TextRenderer() }
    }
}
