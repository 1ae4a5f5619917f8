// SPDX-License-Identifier: Apache-2.0
import Typesetting

extension OverlayLayout {
    init(_ banner: ChannelBanner, in geometry: ScreenGeometry) {
        let line = geometry.line
        let direction = geometry.direction ?? TextDirection(of: banner.name)
        self.init(geometry.banner, line: line, isMirrored: direction == .rightToLeft)
        let (margin, clockRoom) = (line * 2 / 3, line * 4)
        var start = margin
        if let number = banner.number {
            let text = String(number)
            // A bold digit is slightly more than half as wide as it is high.
            let room = text.utf8.count * line * 11 / 10 + line / 2
            write(
                text, start: start, y: line / 4, room: room,
                style: TextStyle(height: line * 9 / 5, colour: Self.accent, isBold: true))
            start += room
        }
        write(
            banner.name, start: start, y: line / 2, room: width - start - margin - clockRoom,
            style: TextStyle(height: line * 7 / 5, isBold: true))
        write(
            banner.clock, end: margin, y: line / 2, room: clockRoom,
            style: TextStyle(height: line * 7 / 5, colour: .grey))
        addProgramme(banner.now, y: line * 9 / 4, line: line, margin: margin, colour: .white)
        if let elapsed = banner.elapsed {
            addBar(margin: margin, y: line * 27 / 8, height: max(2, line / 6), part: elapsed, of: 100)
        }
        addProgramme(banner.next, y: line * 29 / 8, line: line, margin: margin, colour: .grey)
    }

    private mutating func addProgramme(
        _ programme: ChannelBanner.Line?, y: Int, line: Int, margin: Int, colour: TextStyle.Colour
    ) {
        guard let programme else { return }
        let spanRoom = line * 8
        write(programme.span, start: margin, y: y, room: spanRoom, style: TextStyle(height: line, colour: .grey))
        write(
            programme.title, start: margin + spanRoom, y: y, room: width - 2 * margin - spanRoom,
            style: TextStyle(height: line, colour: colour))
    }
}
