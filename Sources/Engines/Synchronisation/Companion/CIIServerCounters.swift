// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a server of CSS-CII counts.
public struct CIIServerCounters: Hashable, Sendable {
    public var clients = CompanionServerCounters()
    /// Messages of clients, which should not send any.
    public var messagesIgnored: UInt64 = 0

    public init() {}

    public static let statistics: [Statistic<Self>] =
        CompanionServerCounters.statistics(\.clients) + [
            .counter(
                "messagesIgnored", \.messagesIgnored, "messages",
                "Messages that companions sent to CSS-CII, where they have nothing to say.", .fault)
        ]
}
