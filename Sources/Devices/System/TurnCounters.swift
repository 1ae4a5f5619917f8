// SPDX-License-Identifier: Apache-2.0
import Statistics
import Time

/// Statistics of an event loop's turns: how many there were, and how long their handlers ran.
public struct TurnCounters: Sendable, Hashable {
    public var turns: Int64 = 0
    public var longestTurnUs: Int64 = 0
    public var turnUs = Histogram(
        upTo: [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 500_000, 1_000_000])

    public init() {}

    mutating func turned(in span: Nanoseconds) {
        turns += 1
        longestTurnUs = max(longestTurnUs, span.microseconds)
        turnUs.count(span.microseconds)
    }

    public static let statistics: [Statistic<Self>] = [
        .counter("turns", \.turns, "turns", "Turns of the loop."),
        .gauge(
            "longestTurnUs", \.longestTurnUs, .microseconds, "The longest turn since start, waiting left out.", .page),
        .histogram("turnUs", \.turnUs, .microseconds, "How long turns take, waiting left out."),
    ]
}
