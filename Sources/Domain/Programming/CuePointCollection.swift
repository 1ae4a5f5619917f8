// SPDX-License-Identifier: Apache-2.0
import Time

/// The cue points of a video, ordered by position and at most `limit`; equal positions keep their order (PLAY-17, 24).
public struct CuePointCollection: Hashable, Sendable {
    public static let limit = 1_000

    public private(set) var points: [CuePoint] = []

    public init() {}

    /// Points beyond `limit` are left out.
    public init(_ points: some Sequence<CuePoint>) { for point in points.prefix(Self.limit) { add(point) } }

    public var isEmpty: Bool { points.isEmpty }

    /// - Returns: false when the collection is full.
    @discardableResult
    public mutating func add(_ point: CuePoint) -> Bool {
        guard points.count < Self.limit else { return false }
        points.insert(point, at: index(after: point.position))
        return true
    }

    public mutating func removeAll(where isUnwanted: (CuePoint) -> Bool) { points.removeAll(where: isUnwanted) }

    /// The points with previous < position <= current; none if `current` is not after `previous`.
    public func points(after previous: Nanoseconds, through current: Nanoseconds) -> CuePointCollection {
        var passed = CuePointCollection()
        guard previous < current else { return passed }
        passed.points = Array(points[index(after: previous)..<index(after: current)])
        return passed
    }

    /// A copy with `change` applied; the original stays as it is (PLAY-26, 27).
    public func updating(_ change: (inout CuePointCollection) -> Void) -> CuePointCollection {
        var copy = self
        change(&copy)
        return copy
    }

    /// Index of the first point after `position`.
    private func index(after position: Nanoseconds) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].position <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
