// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

extension OverlayLayout {
    /// What can be gone back to as a line, and the head at what is shown. Never mirrored: signs and numbers run from left
    /// to right in every script, as on the keys of a remote control.
    init(_ bar: TransportBar, in geometry: ScreenGeometry, by setter: TextSetter) throws(TypesettingError) {
        let (unit, theme) = (geometry.unit, geometry.theme)
        self.init(geometry.transport, in: geometry)
        let (margin, size) = (unit * 5 / 2, min(unit * 5 / 2, height))
        addSign(bar.sign, x: margin, y: (height - size) / 2, size: size, theme.text)
        let placeStyle = geometry.style(.body, bar.place == TransportBar.live ? theme.accent : nil, isBold: true)
        var x = margin + size + unit * 2
        write(bar.place, start: x, y: (height - placeStyle.height) / 2, room: unit * 16, style: placeStyle)
        guard let progress = bar.progress, let from = bar.from, let to = bar.to else { return }
        x += max(try setter.width(of: bar.place, style: placeStyle), unit * 11) + unit * 2
        let style = geometry.style(.caption, theme.muted)
        let textY = (height - style.height) / 2
        write(from, start: x, y: textY, room: unit * 12, style: style)
        x += try setter.width(of: from, style: style) + unit * 2
        let toWidth = try setter.width(of: to, style: style)
        write(to, end: margin, y: textY, room: unit * 12, style: style)
        let (full, thick, head) = (width - x - toWidth - margin - unit * 2, max(2, unit / 2), max(2, unit * 2))
        guard full > head else { return }
        let place = x + (full - head) * progress / TransportBar.steps
        let y = (height - thick) / 2
        addRectangle(x: x, y: y, width: full, height: thick, theme.groove)
        addRectangle(x: x, y: y, width: place - x + head / 2, height: thick, theme.accent)
        addRectangle(x: place, y: (height - head) / 2, width: head, height: head, theme.accent)
    }

    private mutating func addSign(_ sign: TransportBar.Sign, x: Int, y: Int, size: Int, _ colour: RGBColour) {
        switch sign {
        case .playing:
            add(.shape(.triangle(x: x, y: y, width: size, height: size, pointsLeft: false, colour: colour)))
        case .paused:
            for column in [x, x + size * 3 / 5] {
                add(.shape(.rectangle(x: column, y: y, width: size * 2 / 5, height: size, colour: colour)))
            }
        case .rewound:
            for column in [x, x + size / 2] {
                add(
                    .shape(.triangle(x: column, y: y, width: size / 2, height: size, pointsLeft: true, colour: colour)))
            }
        }
    }

    init(_ bar: VolumeBar, in geometry: ScreenGeometry) {
        let (unit, theme) = (geometry.unit, geometry.theme)
        self.init(geometry.volume, in: geometry, isMirrored: geometry.direction == .rightToLeft)
        let margin = unit * 2
        let style = geometry.style(.body, bar.isMuted ? Self.warning : nil)
        write(
            bar.isMuted ? "Muted" : "Volume", start: margin, y: unit / 2, room: width - 2 * margin - unit * 8,
            style: style)
        write(String(bar.level), end: margin, y: unit / 2, room: unit * 8, style: geometry.style(.body))
        addBar(
            margin: margin, y: unit * 5, height: max(2, unit / 2), part: bar.level, of: 100,
            colour: bar.isMuted ? theme.muted : nil)
    }

    /// Three dots, which are understood in every language.
    init(bufferingIn geometry: ScreenGeometry) {
        self.init(geometry.buffering, in: geometry)
        let dot = max(1, geometry.unit * 3 / 2)
        for index in -1...1 {
            addRectangle(
                x: width / 2 + index * dot * 2 - dot / 2, y: (height - dot) / 2, width: dot, height: dot,
                geometry.theme.text)
        }
    }

    /// In the largest letters in which it is whole.
    init(_ message: ScreenMessage, in geometry: ScreenGeometry, by setter: TextSetter) throws(TypesettingError) {
        let margin = geometry.unit * 4
        let most = geometry.largestMessage
        let (width, height) = (max(1, most.width - 2 * margin), max(1, most.height - 2 * margin))
        let sizes: [ScreenGeometry.TextSize] =
            (message.isLarge ? [.hall] : []) + (message.isEmergency || message.isLarge ? [.display] : [])
            + [.title, .body, .caption]
        let colour: RGBColour? =
            message.isEmergency ? Self.alarm : message.background
        let choices = sizes.map { size in
            let style = geometry.style(size, colour.map { $0.legible }, isBold: message.isEmergency)
            return TextSetter.Choice(style: style, lines: max(1, height / style.height))
        }
        let block = try setter.block(message.text, in: width, choices, isOneParagraph: false)
        let size = PixelSize(
            width: message.isEmergency ? most.width : min(most.width, block.width + 2 * margin),
            height: min(most.height, block.height + 2 * margin))
        self.init(
            geometry.message(size), in: geometry, colour: colour,
            opacity: message.isEmergency ? 255 : ScreenTheme.panelOpacity)
        for (index, line) in block.lines.enumerated() {
            let text = Text(
                line, x: size.width / 2, y: margin + index * block.style.height, anchor: .top, style: block.style)
            add(.text(text))
        }
    }
}

extension RGBColour {
    /// Black or white, whichever is easier to read on this.
    fileprivate var legible: RGBColour { luminance > 0.18 ? .black : .white }
}
