// SPDX-License-Identifier: Apache-2.0
import Time

/// What a bad network does. Shares are fractions of the datagrams, 0...1.
public struct ImpairmentConditions: Equatable, Sendable {
    /// Times at which a path carries nothing. The second path is out half a period after the first, so never both are.
    public struct Outage: Equatable, Sendable {
        /// At most half of `period`.
        public var length: Nanoseconds
        /// From the start of one outage to the start of the next; the first path's first outage begins after a quarter
        /// of it.
        public var period: Nanoseconds

        public init(length: Nanoseconds, period: Nanoseconds) {
            self.length = length
            self.period = period
        }
    }

    public var loss: Double = 0
    /// Mean number of datagrams lost in a row, 1 or more (Gilbert–Elliott); nil when each is lost independently.
    public var meanBurst: Double?
    /// Share of datagrams that are held back by `hold`, so that later ones overtake them.
    public var reorder: Double = 0
    public var hold: Nanoseconds = .milliseconds(20)
    /// Share of datagrams that are sent twice, the copy up to `hold` later.
    public var duplicate: Double = 0
    /// Share of datagrams in which one bit is flipped, anywhere.
    public var corrupt: Double = 0
    /// Delay of all datagrams.
    public var delay: Nanoseconds = .zero
    /// Most additional delay of a datagram. As in a queue, none overtakes another because of it.
    public var jitter: Nanoseconds = .zero
    public var outage: Outage?

    public init() {}

    /// The largest share of loss that bursts of this mean length can make; beyond it they would have to be longer.
    public static func mostLoss(meanBurst: Double) -> Double { meanBurst / (meanBurst + 1) }
}
