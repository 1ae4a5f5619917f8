// SPDX-License-Identifier: Apache-2.0
import Statistics

extension MessageCounters {
    /// Statistics of one data channel, or of all together.
    public static let statistics: [Statistic<Self>] = [
        .counter("messages", \.messages, "messages", "Messages that were delivered whole, once each."),
        .counter("octets", \.octets, .octets, "Octets of these messages."),
        .counter("incomplete", \.incomplete, "messages", "Messages of which a piece came, and not all.", .fault),
        .counter(
            "damaged", \.damaged, "messages", "Messages that came whole and are not what was sent, by their checksum.",
            .fault),
        .counter("lost", \.lost, "messages", "Messages of which nothing came.", .fault),
        .counter("duplicates", \.duplicates, "messages", "Messages that began again behind their end."),
        .counter(
            "malformed", \.malformed, "payloads",
            "Payloads that are no piece of a message, or not of the one that they name.", .fault),
        .counter("restarts", \.restarts, "restarts", "Times that a sender began to count anew."),
    ]
}
