// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct ListDataChannels: Command {
    /// What asks for the messages of a channel is a stream and does not come here.
    enum Action: String, Sendable, CaseIterable { case list, follow }

    var action: Action?
    var channel: String?

    static let about = About(
        "data", "List the data channels, or follow one",
        help: """
            data follow CHANNEL prints each message of the channel as it comes, until interrupted; the channel need not \
            be there yet. Whoever reads too slowly loses the oldest messages and is told how many. A channel is received \
            while somebody follows it or a consumer of the settings (data.consumers) wants it.
            """,
        streamArgument: "action", example: "")
    static let shape = Shape<Self>([
        .optionalArgument("action", \.action, .absentOr(.choice), "Absent: list."),
        .optionalArgument(
            "channel", \.channel, .absentOr(.text(1...128)), names: "channels",
            "Name, or else id; absent: all."),
    ])

    func run(on channels: DataChannels) throws(Status) -> DataChannelList {
        DataChannelList(channels: try channels.rows(of: channel))
    }
}

struct DataChannelList: Answer {
    let channels: [DataChannelRow]

    static let shape = Shape<Self>([
        .value("channels", \.channels, .list(of: .row), "in the order of the line-up")
    ])
}
