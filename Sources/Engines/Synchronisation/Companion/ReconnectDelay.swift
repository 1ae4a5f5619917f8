// SPDX-License-Identifier: Apache-2.0
import Time

/// Exponential back-off with full jitter: after each failure in a row the next attempt waits for a random span, of which
/// the greatest doubles. Boxes that lost the same television do not come back at once.
struct ReconnectDelay: Sendable {
    static let shortest = Nanoseconds.seconds(1)
    static let longest = Nanoseconds.seconds(30)

    private var failures = 0

    mutating func reset() { failures = 0 }

    /// The span until the next attempt, after one more failure; `shortest`...`longest`.
    mutating func next(using random: inout some RandomNumberGenerator) -> Nanoseconds {
        failures = min(failures + 1, 16)
        let most = min(Self.longest, Self.shortest * (1 << Int64(failures)))
        return Nanoseconds(Int64.random(in: Self.shortest.count...most.count, using: &random))
    }
}
