// SPDX-License-Identifier: Apache-2.0

/// Where a viewport goes: by as much as it shows, so that it shows the next page.
public enum PanDirection: String, Sendable, CaseIterable { case left, right, up, down }

extension SceneArea {
    /// One page on, or up to the edge of the whole.
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

    /// What a viewport shows of this area.
    /// - Returns: where in the viewport, and which part of this area that is; nil: nothing of it is in sight.
    public func seen(through viewport: SceneArea) -> (place: SceneArea, part: SceneArea)? {
        guard let columns = Self.overlap(x, width, viewport.x, viewport.width),
            let rows = Self.overlap(y, height, viewport.y, viewport.height)
        else { return nil }
        return (
            SceneArea(x: columns.place.0, y: rows.place.0, width: columns.place.1, height: rows.place.1),
            SceneArea(x: columns.part.0, y: rows.part.0, width: columns.part.1, height: rows.part.1)
        )
    }

    /// Start and length, of the second span and of the first.
    private static func overlap(
        _ start: Int, _ length: Int, _ low: Int, _ span: Int
    ) -> (place: (Int, Int), part: (Int, Int))? {
        let (first, last) = (max(start, low), min(start + length, low + span))
        guard first < last else { return nil }
        return (share(first, last, of: low, span), share(first, last, of: start, length))
    }

    /// From `first` to `last` as a start and a length in ten-thousandths of another span; never empty.
    private static func share(_ first: Int, _ last: Int, of origin: Int, _ whole: Int) -> (Int, Int) {
        let from = ((first - origin) * parts + whole / 2) / whole
        let end = ((last - origin) * parts + whole / 2) / whole
        return from < end ? (from, end - from) : (min(from, parts - 1), 1)
    }
}

extension StageLayout {
    /// What its viewport shows (MEET-46): regions out of sight are not in it, those at the edges in part.
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
