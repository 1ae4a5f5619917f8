// SPDX-License-Identifier: Apache-2.0
import Time

/// Converts the kernel's wall-clock arrival stamps to monotonic time, by reading both clocks as a pair.
///
/// When the difference of the clocks has changed by more than 1 ms since the previous batch, the wall clock was
/// stepped. Stamps from before and after the step cannot be told apart, so for a second the time of reception is used:
/// by then every socket that is read with this converter has been emptied of datagrams from before the step.
public struct StampConverter: Sendable {
    private static let largestMove = Nanoseconds.milliseconds(1)
    /// No datagram waits longer than this in a socket that is being read.
    private static let longestWait = Nanoseconds.seconds(5)
    private static let doubt = Nanoseconds.seconds(1)

    private var offset: Int64?
    /// Whether the offset belongs to the current batch.
    private var isPaired = false
    private var doubtEnds: Monotonic?

    public init() {}

    /// Takes a reading of both clocks, once for each batch.
    /// - Parameters:
    ///   - earlier: read right before the wall clock.
    ///   - later: read right after it. A thread that was suspended in between has no pair, and the batch uses its time of
    ///     reception.
    public mutating func pair(wall: WallTime, between earlier: Monotonic, and later: Monotonic) {
        isPaired = later - earlier <= Self.largestMove
        guard isPaired else { return }
        let newOffset = wall.nanoseconds &- earlier.nanoseconds
        if let offset, Nanoseconds(newOffset &- offset).magnitude > Self.largestMove {
            doubtEnds = later + Self.doubt
        } else if let end = doubtEnds, later >= end {
            doubtEnds = nil
        }
        offset = newOffset
    }

    /// The arrival time, or `receivedAt` when the stamp is not plausible.
    public func convert(_ stamp: WallTime, receivedAt: Monotonic) -> Monotonic {
        plausible(stamp, receivedAt: receivedAt) ?? receivedAt
    }

    /// The time of the stamp; nil when it is not plausible.
    func plausible(_ stamp: WallTime, receivedAt: Monotonic) -> Monotonic? {
        guard isPaired, doubtEnds == nil, let offset else { return nil }
        let instant = Monotonic(nanoseconds: stamp.nanoseconds &- offset)
        let wait = receivedAt - instant
        return wait >= .zero && wait <= Self.longestWait ? instant : nil
    }
}
