// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

/// A panel and its drawings, in coordinates of its top left corner. For scripts that run from right to left the layout
/// is mirrored, so that lines begin at the right.
struct OverlayLayout: Hashable {
    static let panel = TextStyle.Colour(red: 14, green: 18, blue: 28)
    static let accent = TextStyle.Colour(red: 64, green: 156, blue: 255)
    static let groove = TextStyle.Colour(red: 96, green: 104, blue: 120)
    static let alarm = TextStyle.Colour(red: 168, green: 0, blue: 16)

    let area: PixelRectangle
    let isMirrored: Bool
    private(set) var drawings: [Drawing] = []

    init(
        _ area: PixelRectangle, line: Int, isMirrored: Bool = false, colour: TextStyle.Colour = panel,
        opacity: UInt8 = 216
    ) {
        self.area = area
        self.isMirrored = isMirrored
        drawings.append(
            .shape(
                .rectangle(
                    x: 0, y: 0, width: area.size.width, height: area.size.height, radius: line / 3, colour: colour,
                    opacity: opacity)))
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

    private mutating func add(_ string: String, x: Int, y: Int, isRight: Bool, room: Int, style: TextStyle) {
        let text = Text(
            string, x: x, y: y, anchor: isRight ? .topRight : .topLeft, overflow: .cut(max(0, room)), style: style)
        drawings.append(.text(text))
    }

    /// A bar between the margins, filled from the edge where reading begins.
    /// - Parameter part: the filled part of `whole`.
    mutating func addBar(margin: Int, y: Int, height: Int, part: Int, of whole: Int, colour: TextStyle.Colour = accent)
    {
        let full = max(0, width - 2 * margin)
        let filled = whole <= 0 ? 0 : full * min(max(0, part), whole) / whole
        drawings.append(
            .shape(.rectangle(x: margin, y: y, width: full, height: height, radius: height / 2, colour: Self.groove)))
        guard filled > 0 else { return }
        let x = isMirrored ? margin + full - filled : margin
        drawings.append(
            .shape(.rectangle(x: x, y: y, width: filled, height: height, radius: height / 2, colour: colour)))
    }

    mutating func add(_ drawing: Drawing) { drawings.append(drawing) }
}
