// SPDX-License-Identifier: Apache-2.0
import Time

/// Turns the kernel's wall-clock arrival stamps into monotonic time by a paired reading of both clocks.
///
/// When the pair has moved by more than 1 ms since the batch before, the wall clock was stepped and stamps taken before
/// and after the step cannot be told apart: that batch uses the time of its reception.
public struct StampConverter: Sendable {
    private static let largestMove = Nanoseconds.milliseconds(1)
    /// No datagram waits longer than this in a socket that we read.
    private static let longestWait = Nanoseconds.seconds(5)

    private var offset: Int64?
    private var isTrusted = false

    public init() {}

    /// Takes both clocks, read one right after the other, once per batch.
    public mutating func pair(wall: WallTime, monotonic: Monotonic) {
        let newOffset = wall.nanoseconds &- monotonic.nanoseconds
        isTrusted = offset.map { Nanoseconds(newOffset &- $0).magnitude <= Self.largestMove } ?? true
        offset = newOffset
    }

    public func convert(_ stamp: WallTime, receivedAt: Monotonic) -> Monotonic {
        guard isTrusted, let offset else { return receivedAt }
        let arrival = Monotonic(nanoseconds: stamp.nanoseconds &- offset)
        let wait = receivedAt - arrival
        return wait >= .zero && wait <= Self.longestWait ? arrival : receivedAt
    }
}
