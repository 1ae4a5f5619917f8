// SPDX-License-Identifier: Apache-2.0
import Time

/// A reading of a server's wall clock (TS 103 286-2) in nanoseconds since an epoch of the server's choice.
public struct WallClockInstant: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds have 32 bits on the wire.
    static let representable: Range<Int64> = 0..<(1 << 32) * 1_000_000_000

    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (left: WallClockInstant, right: WallClockInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public static func - (left: WallClockInstant, right: WallClockInstant) -> Nanoseconds {
        Nanoseconds(left.nanoseconds &- right.nanoseconds)
    }

    public var isRepresentable: Bool { Self.representable.contains(nanoseconds) }

    public var description: String { "wall clock \(nanoseconds) ns" }
}
