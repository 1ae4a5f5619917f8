// SPDX-License-Identifier: Apache-2.0
import Time

/// When a picture of a live stream is due: at its arrival + D (the play-out delay of the design).
///
/// Decode time stamps are held against the arrival of their access units. The network only ever delays, so the smallest
/// difference of the last windows is the stream's own time; the clock follows it by at most 0.5 %. A difference beyond
/// `jump` is another timeline: the clock starts again from it.
public struct PlayoutClock: Sendable {
    public enum Verdict: Sendable, Equatable { case started, tracking, jumped }

    /// Larger differences between a time stamp and its arrival are jumps.
    public static let jump = Nanoseconds.milliseconds(700)
    private static let window = Nanoseconds.seconds(2)
    /// The clock moves by at most this part of elapsed time: 0.5 %.
    private static let slewDivisor: Int64 = 200

    public let delay: Nanoseconds
    private var offset: Nanoseconds?
    private var windowStart = Monotonic(nanoseconds: 0)
    private var smallest: Nanoseconds?
    private var smallestBefore: Nanoseconds?
    private var lastArrival = Monotonic(nanoseconds: 0)

    /// - Parameter delay: D, 0 and more.
    public init(delay: Nanoseconds) { self.delay = delay }

    /// Takes an access unit's decode time (unwrapped 90 kHz ticks) and the arrival of the octet that completed it, in
    /// stream order.
    public mutating func unitArrived(dts: Int64, at arrival: Monotonic) -> Verdict {
        let difference = Nanoseconds(arrival.nanoseconds &- TickRate.mpeg.nanoseconds(dts).count)
        guard let current = offset else {
            start(difference, at: arrival)
            return .started
        }
        guard (difference - current).magnitude <= Self.jump else {
            start(difference, at: arrival)
            return .jumped
        }
        if arrival - windowStart >= Self.window {
            smallestBefore = smallest
            smallest = nil
            windowStart = arrival
        }
        smallest = min(smallest ?? difference, difference)
        let elapsed = max(.zero, arrival - lastArrival)
        lastArrival = max(lastArrival, arrival)
        let target = min(smallestBefore ?? difference, smallest ?? difference)
        let limit = elapsed / Self.slewDivisor
        offset = current + max(-limit, min(limit, target - current))
        return .tracking
    }

    /// When a picture is due; nil before the first unit.
    public func due(pts: Int64) -> Monotonic? {
        offset.map { Monotonic(nanoseconds: TickRate.mpeg.nanoseconds(pts).count) + $0 + delay }
    }

    /// Forgets the stream: the next unit starts the clock.
    public mutating func reset() { offset = nil }

    private mutating func start(_ difference: Nanoseconds, at arrival: Monotonic) {
        offset = difference
        smallest = difference
        smallestBefore = nil
        windowStart = arrival
        lastArrival = arrival
    }
}
