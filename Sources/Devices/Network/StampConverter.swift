// SPDX-License-Identifier: Apache-2.0
import Time

/// Converts the kernel's wall-clock arrival stamps to monotonic time, by reading both clocks as a pair.
///
/// When the difference of the clocks has changed by more than 1 ms since the previous batch, the wall clock was
/// stepped. Stamps from before and after the step cannot be told apart, so that batch uses its time of reception.
public struct StampConverter: Sendable {
    private static let largestMove = Nanoseconds.milliseconds(1)
    /// No datagram waits longer than this in a socket that is being read.
    private static let longestWait = Nanoseconds.seconds(5)

    private var offset: Int64?
    private var isTrusted = false

    public init() {}

    /// Takes a reading of both clocks, one right after the other, once per batch.
    public mutating func pair(wall: WallTime, monotonic: Monotonic) {
        let newOffset = wall.nanoseconds &- monotonic.nanoseconds
        isTrusted = offset.map { Nanoseconds(newOffset &- $0).magnitude <= Self.largestMove } ?? true
        offset = newOffset
    }

    /// The arrival time, or `receivedAt` when the stamp is not plausible.
    public func convert(_ stamp: WallTime, receivedAt: Monotonic) -> Monotonic {
        guard isTrusted, let offset else { return receivedAt }
        let arrival = Monotonic(nanoseconds: stamp.nanoseconds &- offset)
        let wait = receivedAt - arrival
        return wait >= .zero && wait <= Self.longestWait ? arrival : receivedAt
    }
}
