// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

extension OverlayLayout {
    /// The heading with the place in the list, then as many rows as have room, the selected one in the middle if others
    /// are on both sides.
    init(_ panel: ChannelListPanel, in geometry: ScreenGeometry, by setter: TextSetter) throws(TypesettingError) {
        let (unit, theme) = (geometry.unit, geometry.theme)
        let area = geometry.channelList
        let direction = geometry.direction ?? TextDirection(of: panel.rows.first?.name ?? panel.heading)
        self.init(area, in: geometry, isMirrored: direction == .rightToLeft)
        let (margin, step) = (unit * 2, unit * 9 / 2)
        let (title, body, caption) = (
            geometry.style(.body, isBold: true), geometry.style(.body), geometry.style(.caption)
        )
        let place = panel.rows.isEmpty ? "0" : "\(min(panel.selected, panel.rows.count - 1) + 1) / \(panel.rows.count)"
        let placeWidth = try setter.width(of: place, style: geometry.style(.caption, theme.muted))
        write(
            panel.heading, start: margin, y: margin, room: width - 2 * margin - placeWidth - unit * 2, style: title)
        write(
            place, end: margin, y: margin + (title.height - caption.height) / 2, room: placeWidth,
            style: geometry.style(.caption, theme.muted))

        let top = margin + title.height + unit
        let visible = max(1, (height - top - margin) / step)
        let first = max(0, min(panel.selected - visible / 2, panel.rows.count - visible))
        let numberWidth = try setter.width(of: "9999", style: body) + unit * 2
        let barWidth = panel.rows.count > visible ? unit * 2 : 0
        for (line, index) in (first..<min(panel.rows.count, first + visible)).enumerated() {
            let (row, y, isSelected) = (panel.rows[index], top + line * step, index == panel.selected)
            if isSelected {
                let x = isMirrored ? barWidth : unit
                add(
                    .shape(
                        .rectangle(
                            x: x, y: y, width: width - unit - max(unit, barWidth), height: step, radius: unit / 2,
                            colour: theme.accent)))
            }
            // The panel's colour is as readable on the accent as the accent is on the panel.
            func style(_ size: ScreenGeometry.TextSize, _ colour: RGBColour) -> TextStyle {
                geometry.style(size, isSelected ? theme.panel : colour)
            }
            let textY = y + (step - body.height) / 2
            write(
                "\(row.number)", start: margin, y: textY, room: numberWidth - unit, style: style(.body, theme.accent))
            let end = margin + barWidth
            let star = row.isFavourite ? unit * 4 : 0
            let room = width - margin - numberWidth - end - star
            let nameStyle = style(.body, theme.text)
            let nameRoom = row.now == nil ? room : min(room * 3 / 5, try setter.width(of: row.name, style: nameStyle))
            write(row.name, start: margin + numberWidth, y: textY, room: nameRoom, style: nameStyle)
            if let now = row.now {
                write(
                    now, end: end + star, y: y + (step - caption.height) / 2, room: room - nameRoom - unit * 2,
                    style: style(.caption, theme.muted))
            }
            if row.isFavourite {
                write("★", end: end, y: textY, room: star, style: style(.body, theme.accent))
            }
        }
        guard barWidth > 0 else { return }
        let track = visible * step
        let x = isMirrored ? unit * 3 / 4 : width - unit * 5 / 4
        addRectangle(x: x, y: top, width: max(2, unit / 2), height: track, theme.groove)
        addRectangle(
            x: x, y: top + track * first / panel.rows.count, width: max(2, unit / 2),
            height: max(unit, track * visible / panel.rows.count), theme.text)
    }

    /// The digits, and the channel that they name so far.
    init(_ panel: NumberPanel, in geometry: ScreenGeometry) {
        let unit = geometry.unit
        self.init(geometry.number, in: geometry, isMirrored: geometry.direction == .rightToLeft)
        let margin = unit * 2
        let digits = geometry.style(.title, geometry.theme.accent, isBold: true)
        write(panel.digits, start: margin, y: unit, room: width - 2 * margin, style: digits)
        write(
            panel.name ?? "—", start: margin, y: unit + digits.height, room: width - 2 * margin,
            style: geometry.style(.caption, panel.name == nil ? geometry.theme.muted : nil))
    }
}
