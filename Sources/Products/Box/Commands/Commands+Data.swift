// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands that list and follow data channels (SVM-43…48).
    static let data: [CommandDescription] = [
        CommandDescription(
            "data", "List the data channels, or follow one",
            help: """
                data follow CHANNEL prints each message of the channel as it comes, until interrupted; the channel need not \
                be there yet. Whoever reads too slowly loses the oldest messages and is told how many. A channel is received \
                while somebody follows it or a consumer of the settings (data.consumers) wants it.
                """,
            arguments: [
                .parameter("action", .choice(["list", "follow"]), isOptional: true, "Absent: list."),
                .parameter(
                    "channel", .text(1...128), isOptional: true, names: "channels",
                    "Name, or else id; absent: all."),
            ],
            answer: .table(
                member: "channels",
                [
                    .answer("number", "logical number"),
                    .answer("name", "as the line-up has it"),
                    .answer("contentType", "media type of its messages as announced, or null"),
                    .answer("isJoined", title: "joined", "whether it is received"),
                    .answer("messages", "delivered since it was joined"),
                    .answer("octets", isDetail: true, "of those messages"),
                    .answer("lost", "messages of which nothing came"),
                    .answer("incomplete", "messages of which a piece is missing"),
                    .answer("damaged", isDetail: true, "messages whose checksum is not theirs"),
                    .answer("duplicates", isDetail: true, "messages that came again"),
                    .answer("malformed", isDetail: true, "packets that hold no piece of a message"),
                    .answer("restarts", isDetail: true, "times that the sender began anew"),
                    .answer("overflows", isDetail: true, "packets that found no room in the box"),
                    .answer("sinceLastMessageMs", isDetail: true, "age of the last message, or null"),
                    .answer("observers", isDetail: true, "consumers and feeds that have it"),
                    .answer("id", isDetail: true, "stable while the channel is announced"),
                ]), streamArgument: "action")
    ]
}
