// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Typesetting

/// Draws slates: the logo, the title and the reasons in the middle, which box it is at the bottom.
/// - Thread: the render thread.
struct SlatePainter: ~Copyable {
    /// The colour of areas without a region, 0xAARRGGBB.
    static let background = ScreenTheme().panel.pixel()

    private let setter = TextSetter()

    init() {}

    /// Draws the slate on the whole canvas.
    /// - Parameter logo: drawn if it is the one that the slate's theme names.
    func draw(_ slate: Slate, _ logo: Logo?, on canvas: borrowing CanvasBuffer) throws {
        let size = PixelSize(width: canvas.width, height: canvas.height)
        canvas.fill(PixelRectangle(x: 0, y: 0, size: size), slate.theme.panel.pixel())
        let geometry = ScreenGeometry(stage: size, safeAreaPercent: 8, theme: slate.theme, leastUnit: 4)
        let (unit, safe) = (geometry.unit, geometry.safe)

        let title = try setter.block(
            slate.title, in: safe.size.width,
            [
                TextSetter.Choice(style: geometry.style(.display, isBold: true), lines: 1),
                TextSetter.Choice(style: geometry.style(.title, isBold: true), lines: 2),
                TextSetter.Choice(style: geometry.style(.body, isBold: true), lines: 3),
            ])
        var lines: [TextSetter.Block] = []
        for line in slate.lines {
            lines.append(
                try setter.block(
                    line, in: safe.size.width, [TextSetter.Choice(style: geometry.style(.body), lines: 4)]))
        }
        let logo = logo?.path == slate.theme.logo ? logo : nil
        let logoSize = logo?.size(
            in: PixelSize(width: safe.size.width / 2, height: min(unit * 16, safe.size.height / 4)))

        let footerStyle = geometry.style(.caption, slate.theme.muted)
        let footerHeight = slate.footer.count * footerStyle.height
        let height =
            (logoSize.map { $0.height + unit * 3 } ?? 0) + title.height + unit * 2
            + lines.reduce(0) { $0 + $1.height + unit }
        var y = max(safe.y, safe.y + (safe.size.height - footerHeight - height) / 2)
        let isMirrored = TextDirection(of: slate.title) == .rightToLeft
        let (x, anchor): (Int, Text.Anchor) = isMirrored ? (safe.right, .topRight) : (safe.x, .topLeft)
        if let logo, let logoSize {
            let picture = logo.scaled(to: logoSize)
            let area = PixelRectangle(x: isMirrored ? safe.right - logoSize.width : safe.x, y: y, size: logoSize)
            canvas.blend(picture, x: area.x, y: area.y, in: area)
            y += logoSize.height + unit * 3
        }
        var drawings = Self.drawings(of: title, x: x, y: y, anchor)
        y += title.height + unit * 2
        // A line that has no room above the footer is not drawn; nor is the footer if the title takes its place.
        let footerTop = safe.bottom - footerHeight
        let hasFooter = y - unit * 2 <= footerTop
        for line in lines where y + line.height <= footerTop {
            drawings += Self.drawings(of: line, x: x, y: y, anchor)
            y += line.height + unit
        }
        if hasFooter {
            for (index, line) in slate.footer.enumerated() {
                let text = Text(
                    line, x: x, y: footerTop + index * footerStyle.height, anchor: anchor,
                    overflow: .cut(safe.size.width), style: footerStyle)
                drawings.append(.text(text))
            }
        }
        try setter.draw(drawings, on: canvas)
    }

    private static func drawings(of block: TextSetter.Block, x: Int, y: Int, _ anchor: Text.Anchor) -> [Drawing] {
        block.lines.enumerated().map { index, line in
            .text(Text(line, x: x, y: y + index * block.style.height, anchor: anchor, style: block.style))
        }
    }
}
