// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct ListChannels: Command {
    var kind: Channel.Kind?
    var group: String?
    var favourites = false
    var hidden = false

    static let about = About(
        "channels", "List the channels of the line-up",
        help: "In the order of lineUp.order. Playlists are listed among them, without an address.", example: "",
        clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>([
        .option("kind", \.kind, .absentOr(.choice), "Only channels of a kind."),
        .option("group", \.group, .absentOr(.text(1...64)), "Only channels of a group of the settings."),
        .option("favourites", \.favourites, .boolean, "Only favourites."),
        .option("hidden", \.hidden, .boolean, "Those that are hidden as well."),
    ])

    func run(on channels: Channels) throws(Status) -> ChannelAnswer {
        ChannelAnswer(
            channels: channels.documents { entry in
                (kind == nil || entry.kind == kind) && (group.map { entry.groups.contains($0) } ?? true)
                    && (entry.isFavourite || !favourites) && (!entry.isHidden || hidden)
            })
    }
}

struct ChannelAnswer: Answer {
    let channels: [ChannelDocument]

    static let shape = Shape<Self>([.value("channels", \.channels, .list(of: .channel), "in the order of the list")])
}

struct ListStreamers: Command {
    var listsRefused = false

    static let about = About(
        "streamers", "List the head-ends that are heard",
        help: "For each, why its last announcement that gave no channel was not taken.", example: "")
    static let shape = Shape<Self>([
        .option("refused", \.listsRefused, .boolean, "Also senders of which no announcement was taken.")
    ])

    func run(on channels: Channels) throws(Status) -> StreamerAnswer {
        StreamerAnswer(streamers: listsRefused ? channels.streamers + channels.refusedSenders : channels.streamers)
    }
}

struct StreamerAnswer: Answer {
    let streamers: [StreamerRow]

    static let shape = Shape<Self>([.value("streamers", \.streamers, .list(of: .row), "by name")])
}
