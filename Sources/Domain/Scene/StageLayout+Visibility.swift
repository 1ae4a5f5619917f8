// SPDX-License-Identifier: Apache-2.0

extension StageLayout {
    /// Names of the regions of which people can see some part: regions that are not invisible, and that opaque regions
    /// above do not cover wholly. Several regions may cover one together.
    public var visibleNames: Set<String> {
        var names: Set<String> = []
        var covers: [SceneArea] = []
        for region in drawOrder.reversed() where region.opacity > 0 {
            if region.area.isVisible(under: covers) { names.insert(region.name) }
            // Black fills what the picture of an opaque region leaves free.
            if region.opacity >= 100 { covers.append(region.area) }
        }
        return names
    }
}

extension SceneArea {
    /// Whether the covers, together, leave a part of the area free.
    fileprivate func isVisible(under covers: [SceneArea]) -> Bool {
        var free = [self]
        for cover in covers where !free.isEmpty { free = free.flatMap { $0.parts(beside: cover) } }
        return !free.isEmpty
    }

    /// The parts of the area that the cover leaves free; at most four.
    private func parts(beside cover: SceneArea) -> [SceneArea] {
        let (right, bottom) = (x + width, y + height)
        let (coverLeft, coverRight) = (max(x, cover.x), min(right, cover.x + cover.width))
        let (coverTop, coverBottom) = (max(y, cover.y), min(bottom, cover.y + cover.height))
        guard coverLeft < coverRight, coverTop < coverBottom else { return [self] }
        let between = coverBottom - coverTop
        let parts = [
            SceneArea(x: x, y: y, width: width, height: coverTop - y),
            SceneArea(x: x, y: coverBottom, width: width, height: bottom - coverBottom),
            SceneArea(x: x, y: coverTop, width: coverLeft - x, height: between),
            SceneArea(x: coverRight, y: coverTop, width: right - coverRight, height: between),
        ]
        return parts.filter { $0.width > 0 && $0.height > 0 }
    }
}
