// SPDX-License-Identifier: Apache-2.0
import Time

/// What a `StreamClock` knows of its stream.
public struct ClockStatistics: Sendable, Hashable {
    public enum Source: Int, Sendable {
        case none, timeStamps, references
    }

    public var source = Source.none
    /// Acquired a while ago, and within 2 ms of what the stream says.
    public var isLocked = false
    /// Parts per billion: by how much the sender's clock is faster than ours. 0 until half a minute has been heard.
    public var drift: Int64 = 0
    /// By how much stamps of the last whole second came late.
    public var jitterMean = Nanoseconds.zero
    public var jitterPeak = Nanoseconds.zero
    /// How long before their decoding times units are complete, at least; zero without references.
    public var slack = Nanoseconds.zero
    /// PCRs heard, and those of them that fitted nothing.
    public var references: Int64 = 0
    public var doubtfulReferences: Int64 = 0
    /// Times that the stream went over to another time line.
    public var jumps: Int64 = 0
    /// Times that nothing came for longer than 700 ms and the stamps then went on where they had been.
    public var stalls: Int64 = 0

    public init() {}
}
