// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Time

/// The way from a sender to one box: it loses a part of all datagrams, each by itself or in bursts, and delays the others.
struct SimulatedNetwork {
    /// - `mean`: of the length of a burst, in which all is lost; zero: each datagram is lost by itself.
    struct Loss {
        let share: Double
        let mean: Nanoseconds

        /// The chance that a datagram is lost, when one was lost so long before.
        func afterLoss(_ span: Nanoseconds) -> Double {
            guard mean > .zero else { return share }
            // Two states of exponential lengths (Gilbert's model in continuous time).
            let rate = 1 / (Double(mean.count) * (1 - share))
            return share + (1 - share) * exp(-rate * Double(span.count))
        }

        /// The chance that all copies are lost that are sent at these times.
        func all(_ copies: [Nanoseconds]) -> Double {
            zip(copies, copies.dropFirst()).reduce(share) { $0 * afterLoss($1.1 - $1.0) }
        }
    }

    static let longestDelay = Nanoseconds.milliseconds(8)

    private let loss: Loss
    private var wasLost: Bool
    private var last = Monotonic(nanoseconds: 0)

    init(_ loss: Loss, _ random: inout SplitMix64) {
        self.loss = loss
        wasLost = Double.random(in: 0..<1, using: &random) < loss.share
    }

    /// - Parameter time: not before that of the datagram before.
    /// - Returns: when the datagram arrives; nil if it is lost.
    mutating func send(at time: Monotonic, _ random: inout SplitMix64) -> Monotonic? {
        let again = loss.afterLoss(time - last)
        // In balance as many bursts begin as end.
        let chance = wasLost ? again : (1 - again) * loss.share / (1 - loss.share)
        wasLost = Double.random(in: 0..<1, using: &random) < chance
        last = time
        return wasLost ? nil : time + Nanoseconds(Int64.random(in: 200_000...Self.longestDelay.count, using: &random))
    }
}
