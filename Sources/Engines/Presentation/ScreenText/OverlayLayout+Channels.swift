// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

extension OverlayLayout {
    /// The heading with the place in the list, then as many rows as have room, the selected one in the middle if others
    /// are on both sides. Long texts of the selected row are whole, in several lines; those of other rows are cut.
    init(_ panel: ChannelListPanel, in geometry: ScreenGeometry, by setter: TextSetter) throws(TypesettingError) {
        let (unit, theme) = (geometry.unit, geometry.theme)
        let direction = geometry.direction ?? TextDirection(of: panel.rows.first?.name ?? panel.heading)
        self.init(geometry.channelList, in: geometry, isMirrored: direction == .rightToLeft)
        let (margin, step) = (unit * 2, unit * 9 / 2)
        let (body, caption) = (geometry.style(.body), geometry.style(.caption))
        let top = try writeHeading(of: panel, in: geometry, by: setter)
        let rowsHeight = max(step, height - top - margin)

        let numberWidth = try setter.width(of: "9999", style: body) + unit * 2
        let starWidth = try setter.width(of: "★", style: body) + unit
        func room(of row: ChannelListPanel.Row, besideBar barWidth: Int) -> Int {
            max(1, width - 2 * margin - numberWidth - barWidth - (row.isFavourite ? starWidth : 0))
        }
        var whole: WholeRow?
        if panel.rows.indices.contains(panel.selected) {
            let row = panel.rows[panel.selected]
            whole = try WholeRow(
                row, in: room(of: row, besideBar: unit * 2), lines: (rowsHeight - step) / 2 / caption.height, geometry,
                setter)
        }
        let selectedStep = whole.map { min(rowsHeight, $0.height + step - body.height) } ?? step
        let visible = 1 + max(0, rowsHeight - selectedStep) / step
        let first = max(0, min(panel.selected - visible / 2, panel.rows.count - visible))
        let barWidth = panel.rows.count > visible ? unit * 2 : 0
        var y = top
        for index in first..<min(panel.rows.count, first + visible) {
            let (row, isSelected) = (panel.rows[index], index == panel.selected)
            let rowHeight = isSelected ? selectedStep : step
            defer { y += rowHeight }
            if isSelected {
                let x = isMirrored ? barWidth : unit
                add(
                    .shape(
                        .rectangle(
                            x: x, y: y, width: width - unit - max(unit, barWidth), height: rowHeight, radius: unit / 2,
                            colour: theme.accent)))
            }
            // The panel's colour is as readable on the accent as the accent is on the panel.
            func style(_ size: ScreenGeometry.TextSize, _ colour: RGBColour) -> TextStyle {
                geometry.style(size, isSelected ? theme.panel : colour)
            }
            let textY = y + (step - body.height) / 2
            let end = margin + barWidth
            write(
                "\(row.number)", start: margin, y: textY, room: numberWidth - unit, style: style(.body, theme.accent))
            if row.isFavourite {
                write("★", end: end, y: textY, room: starWidth, style: style(.body, theme.accent))
            }
            if isSelected, let whole {
                write(whole.name, start: margin + numberWidth, y: textY)
                if let now = whole.now { write(now, start: margin + numberWidth, y: textY + whole.name.height) }
                continue
            }
            let room = room(of: row, besideBar: barWidth)
            let nameStyle = style(.body, theme.text)
            guard let now = row.now else {
                write(row.name, start: margin + numberWidth, y: textY, room: room, style: nameStyle)
                continue
            }
            let nowStyle = style(.caption, theme.muted)
            let (nameWidth, nowWidth) = (
                try setter.width(of: row.name, style: nameStyle), try setter.width(of: now, style: nowStyle)
            )
            let nameRoom = nameWidth + unit * 2 + nowWidth <= room ? nameWidth : min(room * 3 / 5, nameWidth)
            write(row.name, start: margin + numberWidth, y: textY, room: nameRoom, style: nameStyle)
            write(
                now, end: end + (row.isFavourite ? starWidth : 0), y: y + (step - caption.height) / 2,
                room: room - nameRoom - unit * 2, style: nowStyle)
        }
        guard barWidth > 0 else { return }
        let track = y - top
        let x = isMirrored ? unit * 3 / 4 : width - unit * 5 / 4
        addRectangle(x: x, y: top, width: max(2, unit / 2), height: track, theme.groove)
        addRectangle(
            x: x, y: top + track * first / panel.rows.count, width: max(2, unit / 2),
            height: max(unit, track * visible / panel.rows.count), theme.text)
    }

    /// - Returns: where the rows begin.
    private mutating func writeHeading(
        of panel: ChannelListPanel, in geometry: ScreenGeometry, by setter: TextSetter
    ) throws(TypesettingError) -> Int {
        let (unit, margin) = (geometry.unit, geometry.unit * 2)
        let (title, caption) = (geometry.style(.body, isBold: true), geometry.style(.caption, geometry.theme.muted))
        let place = panel.rows.isEmpty ? "0" : "\(min(panel.selected, panel.rows.count - 1) + 1) / \(panel.rows.count)"
        let placeWidth = try setter.width(of: place, style: caption)
        let heading = try setter.block(
            panel.heading, in: max(1, width - 2 * margin - placeWidth - unit * 2),
            [
                TextSetter.Choice(style: title, lines: 1),
                TextSetter.Choice(style: geometry.style(.caption, isBold: true), lines: 4),
            ])
        write(heading, start: margin, y: margin + max(0, title.height - heading.height) / 2)
        write(place, end: margin, y: margin + (title.height - caption.height) / 2, room: placeWidth, style: caption)
        return margin + max(title.height, heading.height) + unit
    }

    /// The texts of the selected row if they do not fit one line: name and title, one below the other.
    private struct WholeRow {
        let name: TextSetter.Block
        let now: TextSetter.Block?
        var height: Int { name.height + (now?.height ?? 0) }

        /// - Parameter lines: the most lines that each may have.
        /// - Returns: nil if they fit one line.
        init?(
            _ row: ChannelListPanel.Row, in room: Int, lines: Int, _ geometry: ScreenGeometry, _ setter: TextSetter
        ) throws(TypesettingError) {
            let (body, caption) = (
                geometry.style(.body, geometry.theme.panel), geometry.style(.caption, geometry.theme.panel)
            )
            var width = try setter.width(of: row.name, style: body)
            if let title = row.now { width += geometry.unit * 2 + (try setter.width(of: title, style: caption)) }
            guard width > room, lines > 1 else { return nil }
            name = try setter.block(
                row.name, in: room,
                [
                    TextSetter.Choice(style: body, lines: min(3, lines * caption.height / body.height)),
                    TextSetter.Choice(style: caption, lines: lines),
                ])
            guard let title = row.now else {
                now = nil
                return
            }
            now = try setter.block(title, in: room, [TextSetter.Choice(style: caption, lines: lines)])
        }
    }

    /// The digits, and the whole name of the channel that they name so far.
    init(_ panel: NumberPanel, in geometry: ScreenGeometry, by setter: TextSetter) throws(TypesettingError) {
        let (unit, margin, most) = (geometry.unit, geometry.unit * 2, geometry.largestNumber)
        let digits = geometry.style(.title, geometry.theme.accent, isBold: true)
        let caption = geometry.style(.caption, panel.name == nil ? geometry.theme.muted : nil)
        let head = unit + digits.height
        let name = try setter.block(
            panel.name ?? "—", in: max(1, most.width - 2 * margin),
            [TextSetter.Choice(style: caption, lines: max(1, (most.height - head - unit * 3 / 2) / caption.height))])
        self.init(
            geometry.number(height: min(most.height, head + name.height + unit * 3 / 2)), in: geometry,
            isMirrored: geometry.direction == .rightToLeft)
        write(panel.digits, start: margin, y: unit, room: width - 2 * margin, style: digits)
        write(name, start: margin, y: head)
    }
}
