// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands that show the programme guide.
    static let guide: [CommandDescription] = [
        CommandDescription(
            "epg", "Show what is on now and next",
            help: """
                By the event information (EIT) of the streams: of the channel that plays what its stream says at this place,
                of channels that played before what was heard last, until it is over.
                """,
            arguments: [
                .parameter(
                    "channel", .text(1...128), isOptional: true, names: "channels",
                    "Name, id or number; absent: all that were heard.")
            ],
            answer: .table(
                member: "broadcasts",
                [
                    .answer("number", "logical number of the channel"),
                    .answer("channel", "its name"),
                    .answer("when", "now or next"),
                    .answer(
                        "localStart", style: .clock, title: "start",
                        "when it begins, in the zone of the box; null: not said"),
                    .answer(
                        "durationMs", style: .minutes, title: "minutes", "how long it lasts; null: not said"),
                    .answer("minimumAge", title: "age", "fit for this age, years; null: not said"),
                    .answer("title", "what it is called"),
                    .answer("text", isDetail: true, "what it is about"),
                    .answer("language", isDetail: true, "ISO 639-2 code of title and text, or null"),
                    .answer("start", isDetail: true, "when it begins, UTC; null: not said"),
                    .answer("id", isDetail: true, "of the channel"),
                ]))
    ]
}
