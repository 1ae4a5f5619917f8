// SPDX-License-Identifier: Apache-2.0
import Statistics

/// What a finder of televisions and its sockets count.
public struct TelevisionFinderCounters: Hashable, Sendable {
    public internal(set) var search = TelevisionSearchCounters()
    public internal(set) var sendFailures: UInt64 = 0
    public internal(set) var rests: UInt64 = 0
    public internal(set) var socketFailures: UInt64 = 0
}

extension TelevisionFinderCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter("searches", \.search.searches, "messages", "Searches for televisions that were sent."),
        .counter(
            "messagesMalformed", \.search.messagesMalformed, "messages", "Datagrams that are no message of SSDP.",
            .fault),
        .counter(
            "messagesForeign", \.search.messagesForeign, "messages",
            "Messages from other networks, and of devices that say they are elsewhere.", .fault),
        .counter("devicesLeftOut", \.search.devicesLeftOut, "devices", "Devices that there was no room for.", .fault),
        .counter(
            "descriptionsFailed", \.search.descriptionsFailed, "documents",
            "Descriptions that did not come or could not be read; also of devices that are no televisions."),
        .counter("sendFailures", \.sendFailures, "messages", "Messages that could not be sent.", .fault),
        .counter("rests", \.rests, "times", "Times that more messages came than are read at once.", .fault),
        .counter(
            "socketFailures", \.socketFailures, "times", "Times that the sockets failed or could not be opened.",
            .fault),
    ]
}
