// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What an announced box counts.
public struct AnnouncedTelevisionCounters: Hashable, Sendable {
    public internal(set) var announcer = TelevisionAnnouncer.Counters()
    /// Requests by HTTP that were answered with a document.
    public internal(set) var documents: UInt64 = 0
    /// Launches and the like.
    public internal(set) var launchesRefused: UInt64 = 0
    /// All other requests.
    public internal(set) var requestsRefused: UInt64 = 0
    public internal(set) var sendFailures: UInt64 = 0
    public internal(set) var rests: UInt64 = 0
    public internal(set) var socketFailures: UInt64 = 0
}

extension AnnouncedTelevisionCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter("searches", \.announcer.searches, "messages", "Searches for televisions that came."),
        .counter("answers", \.announcer.answers, "messages", "Answers to searches."),
        .counter(
            "searchesOverRate", \.announcer.searchesOverRate, "messages",
            "Searches that came more often than they are answered.", .fault),
        .counter(
            "messagesMalformed", \.announcer.messagesMalformed, "messages", "Datagrams that are no message of SSDP.",
            .fault),
        .counter("messagesForeign", \.announcer.messagesForeign, "messages", "Messages from other networks.", .fault),
        .counter("documents", \.documents, "requests", "Requests that were answered with a document."),
        .counter("launchesRefused", \.launchesRefused, "requests", "Requests to launch or stop something.", .fault),
        .counter("requestsRefused", \.requestsRefused, "requests", "All other requests that were refused.", .fault),
        .counter("sendFailures", \.sendFailures, "messages", "Messages that could not be sent.", .fault),
        .counter("rests", \.rests, "times", "Times that more messages came than are read at once.", .fault),
        .counter(
            "socketFailures", \.socketFailures, "times", "Times that the sockets failed or could not be opened.",
            .fault),
    ]
}
