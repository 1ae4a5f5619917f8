// SPDX-License-Identifier: Apache-2.0

/// An instant of CLOCK_MONOTONIC in nanoseconds, the only clock by which the process measures and waits. Only `System`
/// reads the clock; all other code is given instants.
@frozen
public struct Monotonic: Comparable, Hashable, Sendable, CustomStringConvertible {
    public let nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable
    public static func < (left: Monotonic, right: Monotonic) -> Bool { left.nanoseconds < right.nanoseconds }

    @inlinable
    public static func + (left: Monotonic, right: Nanoseconds) -> Monotonic {
        Monotonic(nanoseconds: left.nanoseconds &+ right.count)
    }

    @inlinable
    public static func - (left: Monotonic, right: Nanoseconds) -> Monotonic {
        Monotonic(nanoseconds: left.nanoseconds &- right.count)
    }

    @inlinable
    public static func - (left: Monotonic, right: Monotonic) -> Nanoseconds {
        Nanoseconds(left.nanoseconds &- right.nanoseconds)
    }

    @inlinable
    public static func += (left: inout Monotonic, right: Nanoseconds) { left = left + right }

    public var description: String { "\(nanoseconds) ns" }
}
