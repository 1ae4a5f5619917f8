// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Typesetting

/// Typesets contents into pictures.
/// - Thread: one thread, which is not the render thread, because fonts are searched and files are read.
final class OverlayTypesetter {
    private static let widestStrip = 16_384

    private let setter = TextSetter()
    private let logos: LogoShelf

    /// - Parameter failed: called for each logo that cannot be shown.
    init(failed: @escaping (LogoProblem) -> Void) { logos = LogoShelf(failed: failed) }

    /// Has logos read anew.
    func forgetLogos() { logos.forget() }

    /// - Returns: nil if the file cannot be shown.
    func logo(_ path: String) -> Logo? { logos.logo(path) }

    func picture(of content: OverlayContent, in geometry: ScreenGeometry) throws(TypesettingError) -> OverlayPicture {
        let layout: OverlayLayout
        switch content {
        case .testCard(let card): return try picture(of: card, on: geometry.stage)
        case .testCardMotion(let motion): return try picture(of: motion, on: geometry.stage)
        case .statistics(let panel): layout = OverlayLayout(panel, in: geometry)
        case .banner(let banner):
            layout = try OverlayLayout(banner, banner.logo.flatMap { logos.logo($0) }, in: geometry, by: setter)
        case .transport(let bar): layout = try OverlayLayout(bar, in: geometry, by: setter)
        case .volume(let bar): layout = OverlayLayout(bar, in: geometry)
        case .buffering: layout = OverlayLayout(bufferingIn: geometry)
        case .channelList(let panel): layout = try OverlayLayout(panel, in: geometry, by: setter)
        case .number(let panel): layout = try OverlayLayout(panel, in: geometry, by: setter)
        case .message(let message): layout = try OverlayLayout(message, in: geometry, by: setter)
        }
        let canvas = CanvasBuffer(width: max(1, layout.width), height: max(1, layout.height))
        try setter.draw(layout.drawings, on: canvas)
        if let (logo, area) = layout.logo {
            canvas.blend(logo.scaled(to: area.size), x: area.x, y: area.y, in: area)
        }
        return OverlayPicture(canvas, x: layout.area.x, y: layout.area.y, pictures: content.pictures)
    }

    private func picture(of card: ScreenTestCard, on stage: PixelSize) throws(TypesettingError) -> OverlayPicture {
        let pattern = TestPattern(stage)
        let canvas = CanvasBuffer(width: pattern.size.width, height: pattern.size.height)
        for mark in pattern.marks { canvas.fill(mark.area, mark.colour) }
        try setter.draw(TestCardLayout(pattern).texts(of: card), on: canvas)
        return OverlayPicture(canvas, x: 0, y: 0)
    }

    private func picture(of motion: TestCardMotion, on stage: PixelSize) throws(TypesettingError) -> OverlayPicture {
        let layout = TestCardLayout(TestPattern(stage))
        let area = layout.motion
        let canvas = CanvasBuffer(width: area.size.width, height: area.size.height)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: area.size), 0xff00_0000)
        canvas.fill(layout.block(of: motion), 0xffff_ffff)
        try setter.draw(layout.texts(of: motion), on: canvas)
        return OverlayPicture(canvas, x: area.x, y: area.y)
    }

    /// A text that is too wide for a canvas is set at half the size, and cut if it is still too wide.
    func strip(of ticker: TickerText, in geometry: ScreenGeometry) throws(TypesettingError) -> TickerStrip {
        let area = geometry.ticker(ticker.position)
        let string = ticker.text.split { $0.isNewline }.joined(separator: " ")
        var line = Text(string, x: 0, y: 0, style: geometry.style(.body))
        var width = try setter.extent(of: line).width
        if width >= Self.widestStrip {
            // The full width is not known, because nothing is measured beyond the width of a canvas.
            line.style.height = max(4, line.style.height / 2)
            line.string = try setter.fit(line.string, in: Self.widestStrip - 1, style: line.style)
            width = try setter.extent(of: line).width
        }
        line.y = (area.size.height - line.style.height) / 2
        let canvas = CanvasBuffer(width: max(1, min(width, Self.widestStrip)), height: area.size.height)
        try setter.draw([.text(line)], on: canvas)
        let direction = geometry.direction ?? TextDirection(of: ticker.text)
        return TickerStrip(
            canvas, area: area, pixelsPerSecond: ticker.pixelsPerSecond ?? max(50, geometry.stage.width / 12 / 50 * 50),
            direction: direction == .rightToLeft ? .rightwards : .leftwards,
            band: geometry.theme.panel.pixel(opacity: ScreenTheme.panelOpacity),
            isOnTimeline: ticker.isOnTimeline)
    }
}
