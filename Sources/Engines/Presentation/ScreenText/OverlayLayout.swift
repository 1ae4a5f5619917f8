// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

/// A panel and its drawings, in coordinates of its top left corner. For scripts that run from right to left the layout
/// is mirrored, so that lines begin at the right.
struct OverlayLayout {
    static let alarm = RGBColour(red: 168, green: 0, blue: 16)
    /// What wants attention, on a panel.
    static let warning = RGBColour(red: 255, green: 191, blue: 0)
    static let fault = RGBColour(red: 255, green: 110, blue: 100)

    let area: PixelRectangle
    let isMirrored: Bool
    private let theme: ScreenTheme
    private(set) var drawings: [Drawing] = []
    /// A picture and its place, over the drawings.
    private(set) var logo: (Logo, PixelRectangle)?

    /// - Parameter colour: nil for that of the theme.
    init(
        _ area: PixelRectangle, in geometry: ScreenGeometry, isMirrored: Bool = false, colour: RGBColour? = nil,
        opacity: UInt8 = ScreenTheme.panelOpacity
    ) {
        self.area = area
        self.isMirrored = isMirrored
        theme = geometry.theme
        drawings.append(
            .shape(
                .rectangle(
                    x: 0, y: 0, width: area.size.width, height: area.size.height, radius: geometry.unit,
                    colour: colour ?? geometry.theme.panel, opacity: opacity)))
    }

    var width: Int { area.size.width }
    var height: Int { area.size.height }

    /// - Parameters:
    ///   - start: the distance in pixels from the edge where reading begins to the beginning of the text.
    ///   - room: the largest width of the text, pixels.
    mutating func write(_ string: String, start: Int, y: Int, room: Int, style: TextStyle) {
        add(string, x: isMirrored ? width - start : start, y: y, isRight: isMirrored, room: room, style: style)
    }

    /// - Parameter end: the distance in pixels from the edge where reading ends to the end of the text.
    mutating func write(_ string: String, end: Int, y: Int, room: Int, style: TextStyle) {
        add(string, x: isMirrored ? end : width - end, y: y, isRight: !isMirrored, room: room, style: style)
    }

    /// Its lines, which fit as they are, one below the other.
    mutating func write(_ block: TextSetter.Block, start: Int, y: Int) {
        for (index, line) in block.lines.enumerated() {
            let text = Text(
                line, x: isMirrored ? width - start : start, y: y + index * block.style.height,
                anchor: isMirrored ? .topRight : .topLeft, style: block.style)
            drawings.append(.text(text))
        }
    }

    private mutating func add(_ string: String, x: Int, y: Int, isRight: Bool, room: Int, style: TextStyle) {
        let text = Text(
            string, x: x, y: y, anchor: isRight ? .topRight : .topLeft, overflow: .cut(max(0, room)), style: style)
        drawings.append(.text(text))
    }

    /// A bar between the margins, filled from the edge where reading begins.
    /// - Parameters:
    ///   - part: the filled part of `whole`.
    ///   - colour: nil for the accent.
    mutating func addBar(margin: Int, y: Int, height: Int, part: Int, of whole: Int, colour: RGBColour? = nil) {
        let full = max(0, width - 2 * margin)
        let filled = whole <= 0 ? 0 : full * min(max(0, part), whole) / whole
        addRectangle(x: margin, y: y, width: full, height: height, theme.groove)
        guard filled > 0 else { return }
        let x = isMirrored ? margin + full - filled : margin
        addRectangle(x: x, y: y, width: filled, height: height, colour ?? theme.accent)
    }

    /// With round ends.
    mutating func addRectangle(x: Int, y: Int, width: Int, height: Int, _ colour: RGBColour) {
        drawings.append(
            .shape(.rectangle(x: x, y: y, width: width, height: height, radius: height / 2, colour: colour)))
    }

    /// - Parameter start: as of a text.
    mutating func add(_ picture: Logo, start: Int, y: Int, size: PixelSize) {
        logo = (picture, PixelRectangle(x: isMirrored ? width - start - size.width : start, y: y, size: size))
    }

    mutating func add(_ drawing: Drawing) { drawings.append(drawing) }
}
