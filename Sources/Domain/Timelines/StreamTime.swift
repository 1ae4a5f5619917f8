// SPDX-License-Identifier: Apache-2.0
import Time

/// The time of day that a transport stream said (TDT or TOT), and when.
public struct StreamTime: Hashable, Sendable {
    /// UTC, whole seconds.
    public let utc: WallTime
    /// Arrival of the table.
    public let arrival: Monotonic

    public init(utc: WallTime, arrival: Monotonic) {
        self.utc = utc
        self.arrival = arrival
    }

    /// The time of day at `instant`.
    public func time(at instant: Monotonic) -> WallTime {
        WallTime(nanoseconds: utc.nanoseconds &+ (instant - arrival).count)
    }
}
