// SPDX-License-Identifier: Apache-2.0

/// A convex set of pairs of offset (nanoseconds, from some base) and drift (nanoseconds a second), from which half-planes
/// are cut off.
struct OffsetPolygon {
    /// Corners in their order; x is the offset and y is the drift.
    private(set) var corners: [SIMD2<Double>]

    /// A rectangle.
    init(offset: ClosedRange<Double>, drift: ClosedRange<Double>) {
        corners = [
            SIMD2(offset.lowerBound, drift.lowerBound), SIMD2(offset.upperBound, drift.lowerBound),
            SIMD2(offset.upperBound, drift.upperBound), SIMD2(offset.lowerBound, drift.upperBound),
        ]
    }

    /// Keeps the pairs p with `normal` · p <= `limit`.
    /// - Returns: false if there are none; the polygon is left as it was.
    mutating func keep(_ normal: SIMD2<Double>, atMost limit: Double) -> Bool {
        func excess(of corner: SIMD2<Double>) -> Double { (normal * corner).sum() - limit }
        guard corners.contains(where: { excess(of: $0) > 0 }) else { return true }
        guard var previous = corners.last else { return false }
        var previousExcess = excess(of: previous)
        var kept: [SIMD2<Double>] = []
        kept.reserveCapacity(corners.count + 1)
        for corner in corners {
            let cornerExcess = excess(of: corner)
            if (cornerExcess < 0) != (previousExcess < 0), cornerExcess != previousExcess {
                kept.append(previous + (corner - previous) * (previousExcess / (previousExcess - cornerExcess)))
            }
            if cornerExcess <= 0 { kept.append(corner) }
            (previous, previousExcess) = (corner, cornerExcess)
        }
        guard kept.count >= 3 else { return false }
        corners = kept
        return true
    }

    /// Centre of mass; of a polygon without area, the mean of its corners.
    var centroid: SIMD2<Double> {
        var mean = SIMD2<Double>.zero
        for corner in corners { mean += corner }
        mean /= Double(max(1, corners.count))
        guard var previous = corners.last else { return mean }
        previous -= mean
        var (sum, area) = (SIMD2<Double>.zero, 0.0)
        for corner in corners {
            let current = corner - mean
            let cross = previous.x * current.y - current.x * previous.y
            area += cross
            sum += (previous + current) * cross
            previous = current
        }
        return area > 1e-9 ? mean + sum / (3 * area) : mean
    }
}
