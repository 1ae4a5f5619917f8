// SPDX-License-Identifier: Apache-2.0
import Time

/// The state of a `StreamClock` and its counters.
public struct ClockStatistics: Sendable, Hashable {
    public enum Source: Int, Sendable {
        case none, timeStamps, references
    }

    public var source = Source.none
    /// Whether the clock has settled and is within 2 ms of what the stream says.
    public var isLocked = false
    /// Parts per billion by which the sender's clock is faster than ours; 0 until half a minute has been received.
    public var drift: Int64 = 0
    /// The mean and the largest lateness of the stamps of the last whole second.
    public var jitterMean = Nanoseconds.zero
    public var jitterPeak = Nanoseconds.zero
    /// The least time by which units are complete before their decoding times; zero without clock references.
    public var slack = Nanoseconds.zero
    /// PCRs received, and those among them that fitted no known timeline.
    public var references: Int64 = 0
    public var doubtfulReferences: Int64 = 0
    /// Number of changes to another timeline.
    public var jumps: Int64 = 0
    /// Number of gaps of more than 700 ms after which the stamps went on where they had been.
    public var stalls: Int64 = 0
    /// Number of times that the clock was set back at once, because units came later than all before.
    public var holds: Int64 = 0

    public init() {}
}
