// SPDX-License-Identifier: Apache-2.0

/// A signed span of time in integer nanoseconds. Arithmetic wraps after 292 years and never traps.
@frozen
public struct Nanoseconds: Comparable, Hashable, Sendable, CustomStringConvertible {
    public let count: Int64

    @inlinable public init(_ count: Int64) { self.count = count }

    @inlinable public static var zero: Nanoseconds { Nanoseconds(0) }
    @inlinable public static func microseconds(_ value: Int64) -> Nanoseconds { Nanoseconds(value &* 1_000) }
    @inlinable public static func milliseconds(_ value: Int64) -> Nanoseconds { Nanoseconds(value &* 1_000_000) }
    @inlinable public static func seconds(_ value: Int64) -> Nanoseconds { Nanoseconds(value &* 1_000_000_000) }

    /// Whole milliseconds, rounded towards zero; likewise the two below.
    @inlinable public var milliseconds: Int64 { count / 1_000_000 }
    @inlinable public var microseconds: Int64 { count / 1_000 }
    @inlinable public var seconds: Int64 { count / 1_000_000_000 }
    @inlinable public var magnitude: Nanoseconds { count < 0 ? Nanoseconds(0 &- count) : self }

    @inlinable public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
    @inlinable public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count &+ right.count)
    }
    @inlinable public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        Nanoseconds(left.count &- right.count)
    }
    @inlinable public static prefix func - (value: Nanoseconds) -> Nanoseconds { Nanoseconds(0 &- value.count) }
    @inlinable public static func * (left: Nanoseconds, right: Int64) -> Nanoseconds {
        Nanoseconds(left.count &* right)
    }
    @inlinable public static func / (left: Nanoseconds, right: Int64) -> Nanoseconds {
        Nanoseconds(right == 0 ? 0 : left.count.dividedReportingOverflow(by: right).partialValue)
    }

    public var description: String { "\(count) ns" }
}
