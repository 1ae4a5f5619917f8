// SPDX-License-Identifier: Apache-2.0
import Scene

/// The stale parts of a canvas as a few rectangles, so that nothing is allocated. Too many are merged into one.
struct Damage {
    private static let limit = 24

    private(set) var rectangles: [PixelRectangle] = []

    init() { rectangles.reserveCapacity(Self.limit + 1) }

    mutating func add(_ rectangle: PixelRectangle) {
        guard !rectangle.isEmpty, !rectangles.contains(where: { $0.contains(rectangle) }) else { return }
        rectangles.removeAll { rectangle.contains($0) }
        rectangles.append(rectangle)
        guard rectangles.count > Self.limit, var all = rectangles.first else { return }
        for rectangle in rectangles { all = all.union(rectangle) }
        clear()
        rectangles.append(all)
    }

    mutating func clear() { rectangles.removeAll(keepingCapacity: true) }
}
