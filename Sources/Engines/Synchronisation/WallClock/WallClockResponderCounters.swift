// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a wall clock server counts.
public struct WallClockResponderCounters: Hashable, Sendable {
    public var requests: UInt64 = 0
    /// Datagrams that are no CSS-WC message.
    public var datagramsMalformed: UInt64 = 0
    /// Messages that only a server sends.
    public var messagesUnexpected: UInt64 = 0
    public var requestsOverRate: UInt64 = 0
    public var requestsOverTotalRate: UInt64 = 0
    /// Requests at a time that the wall clock cannot represent.
    public var requestsOutOfRange: UInt64 = 0
    /// Clients that were forgotten because there was no room for all.
    public var clientsForgotten: UInt64 = 0
    public var localStepsBack: UInt64 = 0

    public init() {}
}

extension WallClockResponderCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter(
            "requestsReceived", \.requests, "requests", "Requests for the wall clock that were received."),
        .counter(
            "datagramsMalformed", \.datagramsMalformed, "datagrams", "Datagrams that are no CSS-WC message.",
            .fault),
        .counter(
            "messagesUnexpected", \.messagesUnexpected, "messages",
            "Responses and follow-ups that were sent to the server.", .fault),
        .counter(
            "requestsOverRate", \.requestsOverRate, "requests",
            "Requests of a client that asks more often than it is answered.", .fault),
        .counter(
            "requestsOverTotalRate", \.requestsOverTotalRate, "requests",
            "Requests of all clients that come more often than they are answered.", .fault),
        .counter(
            "requestsOutOfRange", \.requestsOutOfRange, "requests",
            "Requests at a time for which the wall clock has no seconds.", .fault),
        .counter(
            "clientsForgotten", \.clientsForgotten, "clients",
            "Clients whose rate was forgotten because there was no room for all.", .fault),
        .counter(
            "localStepsBack", \.localStepsBack, "steps",
            "Times that the local clock ran backwards by more than a second.", .fault),
    ]
}
