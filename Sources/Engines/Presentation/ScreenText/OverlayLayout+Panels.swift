// SPDX-License-Identifier: Apache-2.0
import Typesetting

extension OverlayLayout {
    /// Never mirrored: signs and numbers run from left to right in every script, as on the keys of a remote control.
    init(_ bar: TransportBar, in geometry: ScreenGeometry) {
        let line = geometry.line
        self.init(geometry.transport, line: line)
        let (margin, size) = (line * 2 / 3, line)
        addSign(bar.sign, x: margin, y: (height - size) / 2, size: size)
        let text = bar.extent.map { "\(bar.place) / \($0)" } ?? bar.place
        let room = line * 9
        write(
            text, start: margin + size * 2, y: line / 2, room: room,
            style: TextStyle(height: line, colour: bar.place == TransportBar.live ? Self.accent : .white))
        guard let progress = bar.progress else { return }
        let x = margin + size * 2 + room
        let (full, thick) = (max(0, width - x - margin), max(3, line / 4))
        let filled = full * progress / TransportBar.steps
        let y = (height - thick) / 2
        add(.shape(.rectangle(x: x, y: y, width: full, height: thick, radius: thick / 2, colour: Self.groove)))
        guard filled > 0 else { return }
        add(.shape(.rectangle(x: x, y: y, width: filled, height: thick, radius: thick / 2, colour: Self.accent)))
    }

    private mutating func addSign(_ sign: TransportBar.Sign, x: Int, y: Int, size: Int) {
        let white = TextStyle.Colour.white
        switch sign {
        case .playing:
            add(.shape(.triangle(x: x, y: y, width: size, height: size, pointsLeft: false, colour: white)))
        case .paused:
            for column in [x, x + size * 3 / 5] {
                add(.shape(.rectangle(x: column, y: y, width: size * 2 / 5, height: size, colour: white)))
            }
        case .rewound:
            for column in [x, x + size / 2] {
                add(.shape(.triangle(x: column, y: y, width: size / 2, height: size, pointsLeft: true, colour: white)))
            }
        }
    }

    init(_ bar: VolumeBar, in geometry: ScreenGeometry) {
        let line = geometry.line
        self.init(geometry.volume, line: line, isMirrored: geometry.direction == .rightToLeft)
        let margin = line * 2 / 3
        write(
            bar.isMuted ? "Muted" : "Volume", start: margin, y: line / 4, room: width - 2 * margin - line * 3,
            style: TextStyle(height: line, colour: bar.isMuted ? .amber : .white))
        write(String(bar.level), end: margin, y: line / 4, room: line * 3, style: TextStyle(height: line))
        addBar(
            margin: margin, y: line * 3 / 2, height: max(3, line / 4), part: bar.level, of: 100,
            colour: bar.isMuted ? .grey : Self.accent)
    }

    /// Three dots, which are understood in every language.
    init(bufferingIn geometry: ScreenGeometry) {
        let line = geometry.line
        self.init(geometry.buffering, line: line)
        let dot = line * 2 / 3
        for index in -1...1 {
            add(
                .shape(
                    .rectangle(
                        x: width / 2 + index * dot * 2 - dot / 2, y: (height - dot) / 2, width: dot, height: dot,
                        radius: dot / 2, colour: .white)))
        }
    }

    init(_ panel: StatisticsPanel, in geometry: ScreenGeometry) {
        let (line, row) = (geometry.line, geometry.statisticsLine)
        self.init(geometry.statistics(rows: panel.rows.count), line: line)
        let margin = line / 2
        let style = TextStyle(.mono, height: row)
        for (index, entry) in panel.rows.enumerated() {
            let y = margin + index * row
            guard y + row <= height else { break }
            write(
                entry.name, start: margin, y: y, room: width * 3 / 5,
                style: TextStyle(.mono, height: row, colour: .grey))
            write(entry.value, end: margin, y: y, room: width * 2 / 5 - 2 * margin, style: style)
        }
    }

    /// - Parameter textHeight: the measured height of `text(of:in:)`.
    init(_ message: ScreenMessage, textHeight: Int, in geometry: ScreenGeometry) {
        self.init(
            geometry.message(height: textHeight), line: geometry.line,
            colour: message.isEmergency ? Self.alarm : message.background.map(TextStyle.Colour.init) ?? Self.panel,
            opacity: message.isEmergency ? 255 : 228)
        var text = Self.text(of: message, in: geometry)
        (text.x, text.y, text.anchor) = (width / 2, geometry.line, .top)
        add(.text(text))
    }

    static func text(of message: ScreenMessage, in geometry: ScreenGeometry) -> Text {
        // Long texts are written smaller, so that they fit.
        let halves = message.text.unicodeScalars.count > 200 ? 2 : message.isLarge ? 8 : message.isEmergency ? 4 : 3
        return Text(
            message.text, x: 0, y: 0, overflow: .wrapped(geometry.safe.size.width - geometry.line * 2),
            style: TextStyle(height: geometry.line * halves / 2, isBold: message.isEmergency))
    }
}

extension TextStyle.Colour {
    fileprivate init(_ background: ScreenMessage.Background) {
        self.init(red: background.red, green: background.green, blue: background.blue)
    }
}
