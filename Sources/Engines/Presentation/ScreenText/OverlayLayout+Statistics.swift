// SPDX-License-Identifier: Apache-2.0
import Scene
import Typesetting

extension OverlayLayout {
    /// The heading, and the groups below it in one column or in two. What has no room is left out, from the end.
    init(_ panel: StatisticsPanel, in geometry: ScreenGeometry) {
        let table = StatisticsTable(geometry)
        let placed = table.place(panel)
        self.init(
            geometry.statistics(PixelSize(width: table.width, height: placed.height)), in: geometry,
            isMirrored: geometry.direction == .rightToLeft)
        for (index, line) in panel.heading.prefix(placed.headings).enumerated() {
            let style = table.text(index == 0 ? nil : geometry.theme.muted, isBold: index == 0)
            write(
                line, start: table.margin, y: table.margin + index * table.line, room: width - 2 * table.margin,
                style: style)
        }
        for item in placed.items {
            let start = table.margin + item.column * (table.columnWidth + table.gap)
            switch item.content {
            case .title(let title):
                write(
                    title, start: start, y: item.y, room: table.columnWidth,
                    style: table.text(geometry.theme.accent, isBold: true))
            case .row(let row):
                let room = table.columnWidth * 4 / 7
                write(row.name, start: start, y: item.y, room: room, style: table.text(geometry.theme.muted))
                write(
                    row.value, end: width - start - table.columnWidth, y: item.y, room: table.columnWidth - room,
                    style: table.text(row.level.colour))
            case .plot(let plot, let level):
                let x = isMirrored ? width - start - table.columnWidth : start
                add(
                    plot, x: x, y: item.y, width: table.columnWidth, height: table.plot,
                    level.colour ?? geometry.theme.accent, geometry.theme)
            }
        }
    }

    /// Time runs from left to right in every script.
    private mutating func add(
        _ plot: StatisticsPanel.Plot, x: Int, y: Int, width: Int, height: Int, _ colour: RGBColour, _ theme: ScreenTheme
    ) {
        let places = StatisticsPanel.Plot.places
        let missing = places - plot.samples.count
        add(.shape(.rectangle(x: x, y: y + height - 1, width: width, height: 1, colour: theme.groove)))
        if let limit = plot.limit {
            let limitY = y + height - 1 - (height - 1) * min(max(0, limit), 100) / 100
            add(.shape(.rectangle(x: x, y: limitY, width: width, height: 1, colour: Self.fault)))
        }
        let columns = plot.samples.enumerated().compactMap { index, sample -> Shape.Column? in
            guard let sample else { return nil }
            let from = width * (missing + index) / places
            let to = max(from + 1, width * (missing + index + 1) / places - 1)
            return Shape.Column(
                from: from, to: to, height: max(1, (height - 1) * min(max(0, sample), 100) / 100))
        }
        if !columns.isEmpty { add(.shape(.columns(columns, x: x, y: y, height: height, colour: colour))) }
    }
}

extension StatisticsPanel.Level {
    /// nil for the usual one of what is drawn.
    fileprivate var colour: RGBColour? {
        switch self {
        case .usual: nil
        case .warning: OverlayLayout.warning
        case .fault: OverlayLayout.fault
        }
    }
}

/// Where each line of the statistics is.
struct StatisticsTable {
    struct Item {
        enum Content {
            case title(String)
            case row(StatisticsPanel.Row)
            case plot(StatisticsPanel.Plot, StatisticsPanel.Level)
        }

        let content: Content
        let column: Int
        let y: Int
    }

    let width: Int
    let margin: Int
    let gap: Int
    /// Height of a line of text, pixels.
    let line: Int
    /// Height of a plot.
    let plot: Int
    let columnWidth: Int
    private let columns: Int
    private let most: Int
    private let geometry: ScreenGeometry

    init(_ geometry: ScreenGeometry) {
        self.geometry = geometry
        let (unit, most) = (geometry.unit, geometry.largestStatistics)
        (margin, gap, line, plot) = (unit * 2, unit * 4, max(2, unit * 2), unit * 3)
        columns = most.width >= unit * 70 ? 2 : 1
        width = min(most.width, unit * (columns == 2 ? 88 : 44))
        columnWidth = max(1, (width - 2 * margin - (columns - 1) * gap) / columns)
        self.most = most.height
    }

    func text(_ colour: RGBColour?, isBold: Bool = false) -> TextStyle {
        var style = geometry.style(.caption, colour, isBold: isBold)
        style.height = line
        return style
    }

    func place(_ panel: StatisticsPanel) -> (headings: Int, items: [Item], height: Int) {
        let room = most - margin
        let headings = min(panel.heading.count, max(0, (room - margin) / line))
        let top = margin + headings * line + (headings > 0 ? line / 2 : 0)
        let total = panel.groups.map { height(of: $0) }.reduce(0, +)
        // The first column has at least half of it, in whole groups.
        let half = columns == 1 ? total : (total + 1) / 2
        var (column, y, filled, bottom) = (0, top, 0, top)
        var items: [Item] = []
        for group in panel.groups {
            if column + 1 < columns, filled >= half || y > top && y + height(of: group) > room {
                (column, y) = (column + 1, top)
            }
            filled += height(of: group)
            guard y + 2 * line <= room else { continue }
            items.append(Item(content: .title(group.title), column: column, y: y))
            y += line
            for entry in group.entries {
                guard y + line <= room else { break }
                items.append(Item(content: .row(entry.row), column: column, y: y))
                y += line
                guard let plot = entry.plot, y + self.plot <= room else { continue }
                items.append(Item(content: .plot(plot, entry.row.level), column: column, y: y))
                y += self.plot + line / 4
            }
            bottom = max(bottom, y)
            y += line / 2
        }
        return (headings, items, min(most, bottom + margin))
    }

    private func height(of group: StatisticsPanel.Group) -> Int {
        group.entries.map { line + ($0.plot == nil ? 0 : plot + line / 4) }.reduce(line * 3 / 2, +)
    }
}
