// SPDX-License-Identifier: Apache-2.0

/// The direction in which a viewport moves by its own size, to show the next page.
public enum PanDirection: String, Sendable, CaseIterable { case left, right, up, down }

extension SceneArea {
    /// The viewport moved by one page, or up to the edge of the layout.
    public func panned(_ direction: PanDirection) -> SceneArea {
        var panned = self
        switch direction {
        case .left: panned.x = max(0, x - width)
        case .right: panned.x = max(0, min(Self.parts - width, x + width))
        case .up: panned.y = max(0, y - height)
        case .down: panned.y = max(0, min(Self.parts - height, y + height))
        }
        return panned
    }

    /// The part of this area that a viewport shows.
    /// - Returns: its place in the viewport, and the part of this area that it is; nil if none of the area is visible.
    public func seen(through viewport: SceneArea) -> (place: SceneArea, part: SceneArea)? {
        guard let columns = Self.overlap(x, width, viewport.x, viewport.width),
            let rows = Self.overlap(y, height, viewport.y, viewport.height)
        else { return nil }
        return (
            SceneArea(x: columns.place.0, y: rows.place.0, width: columns.place.1, height: rows.place.1),
            SceneArea(x: columns.part.0, y: rows.part.0, width: columns.part.1, height: rows.part.1)
        )
    }

    /// The overlap as a start and a length, in ten-thousandths of the second span and of the first.
    private static func overlap(
        _ start: Int, _ length: Int, _ low: Int, _ span: Int
    ) -> (place: (Int, Int), part: (Int, Int))? {
        let (first, last) = (max(start, low), min(start + length, low + span))
        guard first < last else { return nil }
        return (share(first, last, of: low, span), share(first, last, of: start, length))
    }

    /// The span from `first` to `last` as a start and a length in ten-thousandths of another span; never empty.
    private static func share(_ first: Int, _ last: Int, of origin: Int, _ whole: Int) -> (Int, Int) {
        let from = ((first - origin) * parts + whole / 2) / whole
        let end = ((last - origin) * parts + whole / 2) / whole
        return from < end ? (from, end - from) : (min(from, parts - 1), 1)
    }
}

extension StageLayout {
    /// The layout as its viewport shows it (MEET-46): without invisible regions, and with regions at its edges cut.
    public var seen: StageLayout {
        guard viewport != .whole else { return self }
        let shown = regions.compactMap { region -> Region? in
            guard let (place, part) = region.area.seen(through: viewport) else { return nil }
            var region = region
            region.area = place
            region.part = part
            return region
        }
        return StageLayout(name: name, regions: shown)
    }
}
