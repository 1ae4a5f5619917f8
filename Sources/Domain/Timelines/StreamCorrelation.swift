// SPDX-License-Identifier: Apache-2.0
import Time

/// Relates the 90 kHz time stamps of a stream to our clock, at one place of the stream.
public struct StreamCorrelation: Hashable, Sendable, BitwiseCopyable {
    /// Media time minus the time stamp as a span. Media time is the arrival of the unit, freed of network jitter.
    public let offset: Nanoseconds

    public init(offset: Nanoseconds) { self.offset = offset }

    /// By which everything is due so much later.
    public func moved(by span: Nanoseconds) -> StreamCorrelation { StreamCorrelation(offset: offset + span) }

    /// The media time of unwrapped ticks.
    public func time(of ticks: Int64) -> Monotonic {
        Monotonic(nanoseconds: TickRate.mpeg.nanoseconds(ticks).count) + offset
    }

    /// Unwraps a time stamp of 33 bits: of all candidates the one whose media time is nearest to `instant`.
    public func ticks(of stamp: UInt64, near instant: Monotonic) -> Int64 {
        let expected = TickRate.mpeg.ticks(Nanoseconds(instant.nanoseconds) - offset)
        let modulus: Int64 = 1 << 33
        var difference = (Int64(truncatingIfNeeded: stamp) &- expected) & (modulus &- 1)
        if difference >= modulus >> 1 { difference &-= modulus }
        return expected &+ difference
    }
}
