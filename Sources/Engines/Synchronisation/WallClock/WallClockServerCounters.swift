// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What the sockets of a wall clock server count, beside the requests.
public struct WallClockServerCounters: Hashable, Sendable {
    public var responses: UInt64 = 0
    public var followUps: UInt64 = 0
    /// Follow-ups that say no more than their response, because no stamp came.
    public var followUpsUnstamped: UInt64 = 0
    /// Responses and follow-ups that could not be sent.
    public var sendFailures: UInt64 = 0
    /// Sockets that failed and were opened again.
    public var socketFailures: UInt64 = 0
    /// Pauses because more came than is answered.
    public var rests: UInt64 = 0

    public init() {}
}

extension WallClockServerCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter("responsesSent", \.responses, "messages", "Responses of the wall clock server."),
        .counter(
            "followUpsSent", \.followUps, "messages",
            "Follow-ups of the wall clock server, with the time at which the response left."),
        .counter(
            "followUpsUnstamped", \.followUpsUnstamped, "messages",
            "Follow-ups that were announced and say nothing new, because the kernel gave no stamp.", .fault),
        .counter(
            "sendFailures", \.sendFailures, "messages",
            "Messages of the wall clock server that could not be sent.", .fault),
        .counter(
            "socketFailures", \.socketFailures, "times",
            "Times that a socket of the wall clock server failed.", .fault),
        .counter(
            "rests", \.rests, "pauses", "Pauses of the wall clock server because too much came at once.",
            .fault),
    ]
}
