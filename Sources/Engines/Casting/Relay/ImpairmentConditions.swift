// SPDX-License-Identifier: Apache-2.0
import Time

/// What a bad network does. Shares are 0...1 of the datagrams.
public struct ImpairmentConditions: Equatable, Sendable {
    /// Times at which a path carries nothing. Of two paths the second is out half a period after the first: never both.
    public struct Outage: Equatable, Sendable {
        /// At most half the period.
        public var length: Nanoseconds
        /// From the start of one to the start of the next; the first begins after a quarter of it.
        public var period: Nanoseconds

        public init(length: Nanoseconds, period: Nanoseconds) {
            self.length = length
            self.period = period
        }
    }

    public var loss: Double = 0
    /// Datagrams lost in a row on average, 1 or more (Gilbert–Elliott); nil: each is lost by itself.
    public var meanBurst: Double?
    /// Held back by `hold`: those behind overtake them.
    public var reorder: Double = 0
    public var hold: Nanoseconds = .milliseconds(20)
    /// Sent twice, the copy up to `hold` later.
    public var duplicate: Double = 0
    /// With one bit turned over, anywhere.
    public var corrupt: Double = 0
    /// Of all.
    public var delay: Nanoseconds = .zero
    /// Up to so much more for each; as in a queue none overtakes another for it.
    public var jitter: Nanoseconds = .zero
    public var outage: Outage?

    public init() {}

    /// The largest share that bursts of this length can make: longer ones follow each other.
    public static func mostLoss(meanBurst: Double) -> Double { meanBurst / (meanBurst + 1) }
}
