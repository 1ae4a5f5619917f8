// SPDX-License-Identifier: Apache-2.0

/// A number for each indicator. No memory of its own: threads that do not allocate count with it.
@frozen
public struct IndicatorCounts: Hashable, Sendable {
    /// One lane each.
    @usableFromInline var lanes = SIMD16<Int64>.zero

    @inlinable public init() {}

    @inlinable
    public subscript(_ indicator: StreamIndicator) -> Int64 {
        get { lanes[indicator.rawValue] }
        set { lanes[indicator.rawValue] = newValue }
    }

    @inlinable
    public static func - (left: IndicatorCounts, right: IndicatorCounts) -> IndicatorCounts {
        var result = left
        result.lanes &-= right.lanes
        return result
    }

    @inlinable
    public static func + (left: IndicatorCounts, right: IndicatorCounts) -> IndicatorCounts {
        var result = left
        result.lanes &+= right.lanes
        return result
    }
}
