// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What the socket of a wall clock client counts, beside the exchanges.
public struct WallClockClientCounters: Hashable, Sendable {
    /// Requests for which there is a stamp of when they left.
    public var requestsStamped: UInt64 = 0
    /// Datagrams that are no response or follow-up of CSS-WC.
    public var datagramsMalformed: UInt64 = 0
    /// Datagrams of others than the server.
    public var datagramsForeign: UInt64 = 0
    /// Requests that could not be sent.
    public var sendFailures: UInt64 = 0
    /// Pauses because more came than is answered by any server.
    public var rests: UInt64 = 0
    /// Events that the owner did not take in time.
    public var eventsLost: UInt64 = 0

    public init() {}
}

extension WallClockClientCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter(
            "requestsStamped", \.requestsStamped, "requests",
            "Requests of which the kernel said when they left."),
        .counter(
            "responsesMalformed", \.datagramsMalformed, "datagrams",
            "Datagrams from the server that are no response of CSS-WC.", .fault),
        .counter(
            "responsesForeign", \.datagramsForeign, "datagrams",
            "Datagrams to the wall clock client from others than the server.", .fault),
        .counter(
            "sendFailures", \.sendFailures, "requests", "Requests for the wall clock that could not be sent.",
            .fault),
        .counter(
            "rests", \.rests, "pauses", "Pauses of the wall clock client because too much came at once.",
            .fault),
        .counter(
            "eventsLost", \.eventsLost, "events", "Events of the wall clock that nobody took in time.", .fault),
    ]
}
