// SPDX-License-Identifier: Apache-2.0

/// A reading of the wall clock that companion screens share: nanoseconds from an epoch that the clock's server chooses
/// (TS 103 286-2 clause 8). It is comparable with readings of the same server only, and tells no time of day.
@frozen
public struct WallClockTime: Comparable, Hashable, Sendable {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    public let nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Reads a time value of a wall clock message.
    /// - Parameter timeValue: seconds in the upper 32 bits, nanoseconds in the lower.
    /// - Returns: nil if the nanoseconds are 10⁹ or more.
    public init?(timeValue: UInt64) {
        let fraction = Int64(timeValue & 0xffff_ffff)
        guard fraction < Self.nanosecondsPerSecond else { return nil }
        nanoseconds = Int64(timeValue >> 32) * Self.nanosecondsPerSecond + fraction
    }

    /// The eight octets of a time value as an integer. The field has 32 bits for seconds, so that it wraps every
    /// 136 years; a reading before the epoch is written as one before the wrap.
    public var timeValue: UInt64 {
        var (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
        if fraction < 0 {
            seconds -= 1
            fraction += Self.nanosecondsPerSecond
        }
        return UInt64(UInt32(truncatingIfNeeded: seconds)) << 32 | UInt64(fraction)
    }

    @inlinable public static func < (left: WallClockTime, right: WallClockTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
