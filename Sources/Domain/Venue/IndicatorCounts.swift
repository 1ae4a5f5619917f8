// SPDX-License-Identifier: Apache-2.0

/// One counter for each indicator. It is a plain SIMD value, so that threads that must not allocate can count with it.
@frozen
public struct IndicatorCounts: Hashable, Sendable {
    /// One lane for each indicator, by its raw value.
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
