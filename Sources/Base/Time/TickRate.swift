// SPDX-License-Identifier: Apache-2.0

/// Ticks per second of a media clock: 90 000 of MPEG timestamps, 27 000 000 of PCR, or a sample rate.
@frozen
public struct TickRate: Hashable, Sendable {
    public let ticksPerSecond: Int64

    /// - Parameter ticksPerSecond: 1...1 000 000 000.
    @inlinable
    public init(_ ticksPerSecond: Int64) {
        precondition((1...1_000_000_000).contains(ticksPerSecond))
        self.ticksPerSecond = ticksPerSecond
    }

    @inlinable public static var mpeg: TickRate { TickRate(90_000) }
    @inlinable public static var programClock: TickRate { TickRate(27_000_000) }

    /// A number of ticks as nanoseconds, rounded towards zero; exact within 292 years; never traps.
    @inlinable
    public func nanoseconds(_ ticks: Int64) -> Nanoseconds {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
        return Nanoseconds(seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / ticksPerSecond)
    }

    /// Whole ticks in a span, rounded towards zero.
    @inlinable
    public func ticks(_ span: Nanoseconds) -> Int64 {
        let (seconds, rest) = span.count.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds &* ticksPerSecond &+ rest &* ticksPerSecond / 1_000_000_000
    }
}
