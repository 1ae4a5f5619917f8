// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

extension OverlayLayout {
    /// As large as what it says: number, name and clock in the first row, then what is on, how far it is, and what
    /// follows. Long names and titles are set smaller and in several lines.
    init(
        _ banner: ChannelBanner, _ logo: Logo?, in geometry: ScreenGeometry, by setter: TextSetter
    ) throws(TypesettingError) {
        let (unit, theme, most) = (geometry.unit, geometry.theme, geometry.largestBanner)
        let margin = unit * 5 / 2
        let room = max(1, most.width - 2 * margin)
        let title = geometry.style(.title, isBold: true)
        // Three texts of as many lines have room.
        let mostLines = max(1, (most.height - unit * 9) / 3 / geometry.height(.caption))

        let clockStyle = geometry.style(.title, theme.muted)
        let clockWidth = try setter.width(of: banner.clock, style: clockStyle)
        let number = banner.number.map { String($0) } ?? ""
        let numberStyle = geometry.style(.title, theme.accent, isBold: true)
        let numberWidth = number.isEmpty ? 0 : try setter.width(of: number, style: numberStyle) + unit * 2
        let logoSize = logo?.size(in: PixelSize(width: min(room / 4, unit * 18), height: title.height))
        let logoWidth = logoSize.map { $0.width + unit * 2 } ?? 0
        let name = try setter.block(
            banner.name, in: max(1, room - logoWidth - numberWidth - clockWidth - unit * 4),
            [
                TextSetter.Choice(style: title, lines: 1),
                TextSetter.Choice(style: geometry.style(.body, isBold: true), lines: 2),
                TextSetter.Choice(style: geometry.style(.caption, isBold: true), lines: mostLines),
            ])

        let muted = geometry.style(.caption, theme.muted)
        let now = try ProgrammeRow(
            banner.now,
            [
                TextSetter.Choice(style: geometry.style(.body), lines: 2),
                TextSetter.Choice(style: geometry.style(.caption), lines: mostLines),
            ], times: geometry.style(.body, theme.muted), in: room, gap: unit * 3, setter)
        let next = try ProgrammeRow(
            banner.next, [TextSetter.Choice(style: muted, lines: mostLines)], times: muted, in: room, gap: unit * 3,
            setter)
        let head = logoWidth + numberWidth + name.width + unit * 4 + clockWidth
        // A bar of a few pixels shows nothing.
        let least = banner.elapsed == nil ? 0 : min(room, unit * 40)
        let width = min(room, max(head, now?.width ?? 0, next?.width ?? 0, least))

        let headHeight = max(title.height, name.height)
        let barHeight = max(2, unit / 2)
        var height = margin + headHeight
        if let now { height += unit + now.height }
        if banner.elapsed != nil { height += unit + barHeight }
        if let next { height += unit + next.height }
        height = min(height + margin, most.height)

        let direction = geometry.direction ?? TextDirection(of: banner.name)
        self.init(
            geometry.banner(PixelSize(width: width + 2 * margin, height: height)), in: geometry,
            isMirrored: direction == .rightToLeft)
        if let logo, let logoSize {
            add(logo, start: margin, y: margin + (title.height - logoSize.height) / 2, size: logoSize)
        }
        write(number, start: margin + logoWidth, y: margin, room: numberWidth, style: numberStyle)
        write(name, start: margin + logoWidth + numberWidth, y: margin + max(0, title.height - name.height) / 2)
        write(banner.clock, end: margin, y: margin, room: clockWidth, style: clockStyle)
        var y = margin + headHeight + unit
        if let now {
            write(now, y: y, margin: margin)
            y += now.height + unit
        }
        if let elapsed = banner.elapsed {
            addBar(margin: margin, y: y, height: barHeight, part: elapsed, of: 100)
            y += barHeight + unit
        }
        if let next { write(next, y: y, margin: margin) }
    }

    /// A programme of the banner: its title, and its times in the first line.
    private struct ProgrammeRow {
        let title: TextSetter.Block
        let span: String
        let spanStyle: TextStyle
        let spanWidth: Int
        let width: Int
        var height: Int { title.height }

        init?(
            _ line: ChannelBanner.Line?, _ choices: [TextSetter.Choice], times spanStyle: TextStyle, in room: Int,
            gap: Int, _ setter: TextSetter
        ) throws(TypesettingError) {
            guard let line else { return nil }
            (span, self.spanStyle) = (line.span, spanStyle)
            spanWidth = try setter.width(of: line.span, style: spanStyle)
            let taken = line.span.isEmpty ? 0 : spanWidth + gap
            title = try setter.block(line.title, in: max(1, room - taken), choices)
            width = title.width + taken
        }
    }

    private mutating func write(_ row: ProgrammeRow, y: Int, margin: Int) {
        write(row.title, start: margin, y: y)
        write(row.span, end: margin, y: y, room: row.spanWidth, style: row.spanStyle)
    }
}
