// SPDX-License-Identifier: Apache-2.0
import JSON

/// Counts of values by bucket. It has a fixed size: counting allocates nothing, and a copy of the counters that contain
/// it copies it consistently.
public struct Histogram: Sendable, Hashable {
    /// The largest number of bounds. One more bucket counts the values above the last bound.
    public static let mostBounds = 15

    /// Inclusive upper bounds of the buckets, ascending.
    public let bounds: [Int64]
    private var counts = SIMD16<Int64>(repeating: 0)
    public private(set) var sum: Int64 = 0

    /// - Parameter bounds: 1...15 of them, ascending.
    public init(upTo bounds: [Int64]) {
        let ascend = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
        precondition((1...Self.mostBounds).contains(bounds.count) && ascend)
        self.bounds = bounds
    }

    public mutating func count(_ value: Int64) {
        var index = 0
        while index < bounds.count, bounds[index] < value { index += 1 }
        counts[index] &+= 1
        sum &+= value
    }

    /// Count of each bucket, then of the values above the last bound; not cumulative.
    public var buckets: [Int64] { (0...bounds.count).map { counts[$0] } }

    public var total: Int64 { (0...bounds.count).reduce(0) { $0 &+ counts[$1] } }

    public var json: JSONValue {
        [
            "bounds": .array(bounds.map { .integer($0) }), "buckets": .array(buckets.map { .integer($0) }),
            "sum": .integer(sum),
        ]
    }
}
