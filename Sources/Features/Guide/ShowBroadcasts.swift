// SPDX-License-Identifier: Apache-2.0
import Commands
import LineUp
import Shapes
import Venue

struct ShowBroadcasts: Command {
    var channel: String?

    static let about = About(
        "epg", "Show what is on now and next",
        help: """
            By the event information (EIT) of the streams: of the channel that plays what its stream says at this place,
            of channels that played before what was heard last, until it is over.
            """,
        example: "")
    static let shape = Shape<Self>([
        .optionalArgument(
            "channel", \.channel, .absentOr(.text(1...128)), names: "channels",
            "Name, id or number; absent: all that were heard.")
    ])

    func run(on guide: Guide) throws(Status) -> BroadcastList { BroadcastList(broadcasts: try guide.rows(of: channel)) }
}

struct BroadcastList: Answer {
    let broadcasts: [GuideRow]

    static let shape = Shape<Self>([
        .value("broadcasts", \.broadcasts, .list(of: .row), "in the order of the line-up, the present one first")
    ])
}

/// One programme of one channel.
struct GuideRow: Answer {
    enum When: String, Sendable, CaseIterable { case now, next }

    let entry: ListedChannel
    let when: When
    let programme: BroadcastAnswer

    static let shape = Shape<Self>([
        .value("number", \.entry.number, .integer, "logical number of the channel"),
        .value("channel", \.entry.name, .text, "its name"),
        .value("when", \.when, .choice, "now or next"),
        .value(
            "localStart", \.programme.localStart, .optional(.text),
            shownAs: FieldDisplay(style: .clock, title: "start"),
            "when it begins, in the zone of the box; null: not said"),
        .value(
            "durationMs", \.programme.durationMs, .optional(.count),
            shownAs: FieldDisplay(style: .minutes, title: "minutes"), "how long it lasts; null: not said"),
        .value(
            "minimumAge", \.programme.broadcast.minimumAge, .optional(.count), shownAs: FieldDisplay(title: "age"),
            "fit for this age, years; null: not said"),
        .value("title", \.programme.broadcast.title, .text, "what it is called"),
        .detail("text", \.programme.broadcast.text, .text, "what it is about"),
        .detail(
            "language", \.programme.broadcast.language, .optional(.text),
            "ISO 639-2 code of title and text, or null"),
        .detail("start", \.programme.start, .optional(.text), "when it begins, UTC; null: not said"),
        .detail("id", \.entry.id.text, .text, "of the channel"),
    ])
}
