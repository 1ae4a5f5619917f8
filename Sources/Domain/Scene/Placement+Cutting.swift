// SPDX-License-Identifier: Apache-2.0

extension Placement {
    /// The same pixels in the same places without those outside `bounds`. At least 2×2 pixels at an edge remain.
    func cut(to bounds: PixelRectangle) -> Placement {
        guard !bounds.contains(destination) else { return self }
        let columns = Self.cut(destination.x, destination.size.width, bounds.x, bounds.size.width)
        let rows = Self.cut(destination.y, destination.size.height, bounds.y, bounds.size.height)
        var cut = self
        cut.destination = PixelRectangle(
            x: columns.start, y: rows.start, size: PixelSize(width: columns.length, height: rows.length))
        let (across, along) = rotation.isSideways ? (rows, columns) : (columns, rows)
        // Clockwise: a quarter turn brings the picture's bottom edge to the left, a half turn its right edge.
        let (isMirrored, isUpturned) =
            switch rotation {
            case .upright: (false, false)
            case .quarter: (false, true)
            case .half: (true, true)
            case .threeQuarters: (true, false)
            }
        (cut.crop.x, cut.crop.size.width) = across.share(of: crop.x, crop.size.width, fromEnd: isMirrored)
        (cut.crop.y, cut.crop.size.height) = along.share(of: crop.y, crop.size.height, fromEnd: isUpturned)
        return cut
    }

    /// The part of an edge that is kept: where it starts now, and its offset (`from`) in the edge's `whole` length.
    private struct Share {
        let start: Int
        let length: Int
        let from: Int
        let whole: Int

        /// Applies the same share to another edge; the result starts at an even position.
        func share(of origin: Int, _ edge: Int, fromEnd: Bool) -> (Int, Int) {
            let first = fromEnd ? whole - from - length : from
            let low = max(0, min(edge - 2, edge * max(0, first) / whole)) & ~1
            let high = max(low + min(2, edge), min(edge, (edge * (first + length) + whole - 1) / whole))
            return (origin + low, min(high, edge) - low)
        }
    }

    private static func cut(_ start: Int, _ length: Int, _ low: Int, _ span: Int) -> Share {
        let first = max(low, min(start, low + span - 2))
        let last = max(first + min(2, span), min(start + length, low + span))
        let from = max(0, min(length - (last - first), first - start))
        return Share(start: first, length: last - first, from: max(0, from), whole: max(1, length))
    }
}
