// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// Data channels (SVM-43…48).
    static let data: [Command] = [
        Command(
            "data", "List the data channels, or follow one",
            help: """
                data follow CHANNEL prints each message of the channel as it comes, until interrupted; the channel need not \
                be there yet. Whoever reads too slowly loses the oldest messages and is told how many. A channel is received \
                while somebody follows it or a consumer of the settings (data.consumers) wants it.
                """,
            arguments: [
                CommandParameter("action", .choice(["list", "follow"]), isOptional: true, "Absent: list."),
                CommandParameter(
                    "channel", .text(1...128), isOptional: true, completion: .channelNames,
                    "Name, or else id; absent: all."),
            ],
            answer: .table(
                member: "channels",
                [
                    AnswerField("number", "logical number"),
                    AnswerField("name", "as the line-up has it"),
                    AnswerField("contentType", "media type of its messages as announced, or null"),
                    AnswerField("isJoined", shownAs: .plain(title: "joined"), "whether it is received"),
                    AnswerField("messages", "delivered since it was joined"),
                    AnswerField("octets", isDetail: true, "of those messages"),
                    AnswerField("lost", "messages of which nothing came"),
                    AnswerField("incomplete", "messages of which a piece is missing"),
                    AnswerField("damaged", isDetail: true, "messages whose checksum is not theirs"),
                    AnswerField("duplicates", isDetail: true, "messages that came again"),
                    AnswerField("malformed", isDetail: true, "packets that hold no piece of a message"),
                    AnswerField("restarts", isDetail: true, "times that the sender began anew"),
                    AnswerField("overflows", isDetail: true, "packets that found no room in the box"),
                    AnswerField("sinceLastMessageMs", isDetail: true, "age of the last message, or null"),
                    AnswerField("observers", isDetail: true, "consumers and feeds that have it"),
                    AnswerField("id", isDetail: true, "stable while the channel is announced"),
                ]))
    ]
}
