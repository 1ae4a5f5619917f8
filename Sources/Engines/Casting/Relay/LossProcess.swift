// SPDX-License-Identifier: Apache-2.0

/// Decides for one datagram after the other whether it is lost: each independently, or in bursts (Gilbert's chain: a
/// good state that loses nothing and a bad one that loses everything).
struct LossProcess: Sendable {
    private let toBad: Double
    private let toGood: Double
    private var isBad: Bool
    private var random: SeededRandom

    /// Begins in the stationary distribution of both states.
    /// - Parameters:
    ///   - rate: share that is lost, 0...1; with bursts at most `ImpairmentConditions.mostLoss(meanBurst:)`, or 1.
    ///   - meanBurst: mean number of datagrams lost in a row, 1 or more; nil when each is lost independently.
    init(rate: Double, meanBurst: Double?, random: SeededRandom) {
        self.random = random
        if let meanBurst, rate < 1 {
            toGood = 1 / meanBurst
            toBad = rate / (1 - rate) / meanBurst
        } else {
            toGood = 1 - rate
            toBad = rate
        }
        isBad = self.random.fraction() < rate
    }

    /// Always takes exactly one random number.
    mutating func losesNext() -> Bool {
        let isLost = isBad
        let draw = random.fraction()
        isBad = isBad ? draw >= toGood : draw < toBad
        return isLost
    }
}
