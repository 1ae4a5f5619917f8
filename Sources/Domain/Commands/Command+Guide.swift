// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// What is on.
    static let guide: [Command] = [
        Command(
            "epg", "Show what is on now and next",
            help: """
                By the event information (EIT) of the streams: of the channel that plays what its stream says at this place,
                of channels that played before what was heard last, until it is over.
                """,
            arguments: [
                CommandParameter(
                    "channel", .text(1...128), isOptional: true, completion: .channelNames,
                    "Name, id or number; absent: all that were heard.")
            ],
            answer: .table(
                member: "broadcasts",
                [
                    AnswerField("number", "logical number of the channel"),
                    AnswerField("channel", "its name"),
                    AnswerField("when", "now or next"),
                    AnswerField(
                        "localStart", shownAs: .clock(title: "start"),
                        "when it begins, in the zone of the box; null: not said"),
                    AnswerField(
                        "durationMs", shownAs: .minutes(title: "minutes"), "how long it lasts; null: not said"),
                    AnswerField("minimumAge", shownAs: .plain(title: "age"), "fit for this age, years; null: not said"),
                    AnswerField("title", "what it is called"),
                    AnswerField("text", isDetail: true, "what it is about"),
                    AnswerField("language", isDetail: true, "ISO 639-2 code of title and text, or null"),
                    AnswerField("start", isDetail: true, "when it begins, UTC; null: not said"),
                    AnswerField("id", isDetail: true, "of the channel"),
                ]))
    ]
}
