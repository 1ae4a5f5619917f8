// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Shapes
import Time
import Venue

/// One data channel of the line-up.
struct DataChannelRow: Answer {
    let entry: ListedChannel
    /// Counts since the channel was joined; nil if it has no observer.
    let counters: MessageCounters?
    /// nil if the channel is not received.
    let overflows: Int64?
    /// nil if no message has arrived.
    let lastMessageAge: Nanoseconds?
    let observers: Int

    private var isJoined: Bool { overflows != nil }
    private var sinceLastMessageMs: Int64? { lastMessageAge.map { max(0, $0.milliseconds) } }

    static let shape = Shape<Self>([
        .value("number", \.entry.number, .integer, "logical number"),
        .value("name", \.entry.name, .text, "as the line-up has it"),
        .value(
            "contentType", \.entry.channel?.contentType, .optional(.text),
            "media type of its messages as announced, or null"),
        .value("isJoined", \.isJoined, .boolean, shownAs: FieldDisplay(title: "joined"), "whether it is received"),
        .unlessNil("messages", \.counters?.messages, .count, "delivered since it was joined"),
        .unlessNil("octets", \.counters?.octets, .count, shownAs: detail, "of those messages"),
        .unlessNil("lost", \.counters?.lost, .count, "messages of which nothing came"),
        .unlessNil("incomplete", \.counters?.incomplete, .count, "messages of which a piece is missing"),
        .unlessNil("damaged", \.counters?.damaged, .count, shownAs: detail, "messages whose checksum is not theirs"),
        .unlessNil("duplicates", \.counters?.duplicates, .count, shownAs: detail, "messages that came again"),
        .unlessNil(
            "malformed", \.counters?.malformed, .count, shownAs: detail, "packets that hold no piece of a message"),
        .unlessNil("restarts", \.counters?.restarts, .count, shownAs: detail, "times that the sender began anew"),
        .unlessNil("overflows", \.overflows, .count, shownAs: detail, "packets that found no room in the box"),
        .computed("sinceLastMessageMs", .optional(.count), shownAs: detail, "age of the last message, or null") {
            $0.isJoined ? .some($0.sinceLastMessageMs) : nil
        },
        .detail("observers", \.observers, .count, "consumers and feeds that have it"),
        .detail("id", \.entry.id.text, .text, "stable while the channel is announced"),
    ])

    private static let detail = FieldDisplay(isDetail: true)
}
