// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

extension CommandDescription {
    static let watching: [CommandDescription] = [
        CommandDescription(
            "status", "Show what the box is doing",
            answer: .record([
                .answer("boxId", "identity of the box"),
                .answer("boxName", "its name in settings"),
                .answer("version", "of the service"),
                .answer("address", "of the interface that it listens on"),
                .answer("uptimeMs", "since the service started"),
                .answer("serviceState", "up or down"),
                .answer("serviceReason", "why it is down"),
                .answer("channel", "name of what is tuned or played, or null"),
                .answer("playerState", "open, play, rewind, live, stop or close; null when nothing is tuned"),
                .answer("isOpen", "whether a session is open"),
                .answer("isPlaying", "whether pictures or sound advance"),
                .answer("isPaused", "by command"),
                .answer("isVisible", "by command visible"),
                .answer("isBackgroundPlaybackAllowed", "by command background"),
                .answer("session", "number of the session, or null"),
                .answer("volume", "0...100"),
                .answer("isMuted", "by command mute or settings"),
                .answer("channelCount", "channels in the line-up"),
                .answer("streamerCount", "streamers heard"),
                .answer("layout", "name of the one that is on"),
                .answer("output", "kind and size of the stage"),
                .answer("httpPort", "of the HTTP API on loopback; null when there is none"),
                .answer("time", "by the clock of the box"),
                .answer("localTime", "the same in screenText.timeZone"),
            ])),
        CommandDescription(
            "channels", "List the channels of the line-up",
            help: "In the order of lineUp.order. Playlists are listed among them, without an address.",
            options: [
                .parameter(
                    "kind", .choice(Channel.Kind.allCases.map(\.rawValue)), isOptional: true, "Only channels of a kind."
                ),
                .parameter("group", .text(1...64), isOptional: true, "Only channels of a group of the settings."),
                .parameter("favourites", .boolean, isOptional: true, "Only favourites."),
                .parameter("hidden", .boolean, isOptional: true, "Those that are hidden as well."),
                .parameter("names", .boolean, isOptional: true, isLocal: true, "Print names only, one a line."),
            ],
            answer: .table(
                member: "channels",
                [
                    .answer("number", "logical number"),
                    .answer("name", "key of every command that takes a channel"),
                    .answer("kind", "video, data or file"),
                    .answer("address", "multicast group"),
                    .answer("port", "UDP port"),
                    .answer("bandwidthKbps", "nominal, kbit/s; 0: not known"),
                    .answer("channelText", "description"),
                    .answer("id", isDetail: true, "stable while the session is announced"),
                    .answer("origin", isDetail: true, "settings, announcement or playlist"),
                    .answer("groups", isDetail: true, "of lineUp.channels"),
                    .answer("isFavourite", isDetail: true, "of lineUp.channels"),
                    .answer("isHidden", isDetail: true, "by lineUp.channels, or in no view of the box"),
                    .answer("now", isDetail: true, "what is on, as in epg; null: not known"),
                    .answer("source", isDetail: true, "the one sender heard, or null"),
                    .answer("encapsulation", isDetail: true, "rtp, raw or elementary"),
                    .answer("payloadType", isDetail: true, "of RTP (the first medium's of elementary), or null"),
                    .answer("playoutDelayMs", isDetail: true, "announced, or null"),
                    .answer("repair", isDetail: true, "how lost packets are made again, or null"),
                    .answer("secondPath", isDetail: true, "the same packets once more, or null"),
                    .answer("furtherSources", isDetail: true, "heard when the source falls silent"),
                    .answer("contentType", isDetail: true, "of a data channel's messages, or null"),
                    .answer("sessionNum", isDetail: true, "session number of the streamer"),
                    .answer("sessionTitle", isDetail: true, "title of the session"),
                    .answer("streamer", isDetail: true, "id of the streamer, or null"),
                    .answer("venueName", isDetail: true, "licence of the channel, or null"),
                    .answer("contentOwner", isDetail: true, "licence of the channel, or null"),
                    .answer("appDeveloper", isDetail: true, "licence of the channel, or null"),
                ])),
        CommandDescription(
            "streamers", "List the head-ends that are heard",
            answer: .table(
                member: "streamers",
                [
                    .answer("name", "as announced"),
                    .answer("address", "source of its announcements"),
                    .answer("version", "of its announcements; null for plain SDP"),
                    .answer("channelCount", "channels that it announces"),
                    .answer("isAllowed", "by announcements.allow and .deny"),
                    .answer("sinceLastHeardMs", "age of its last announcement"),
                    .answer("sinceFirstHeardMs", isDetail: true, "age of its first"),
                    .answer("id", isDetail: true, "identity"),
                ])),
        CommandDescription(
            "tune", "Play a channel", help: "Leaves the channel that plays. Returns when the channel is being joined.",
            arguments: [
                .parameter(
                    "channel", .text(1...128), names: "channels",
                    "Name of a channel or playlist; or else its id, or its number.")
            ], options: [region], role: .operator, answer: listedChannel),
        CommandDescription(
            "channel-up", "Play the next channel of the list",
            help: "Hidden ones are passed by; the first follows the last.", options: [region], role: .operator,
            answer: listedChannel),
        CommandDescription(
            "channel-down", "Play the previous channel of the list",
            help: "Hidden ones are passed by; the last follows the first.", options: [region], role: .operator,
            answer: listedChannel),
        CommandDescription("stop", "Stop playing and show the slate", options: [region], role: .operator),
    ]

    private static let listedChannel = AnswerDescription.record([
        .answer("channel", "the channel's name"), .answer("number", "its logical number"),
    ])

    static let service: [CommandDescription] = [
        CommandDescription(
            "stats", "Show the counters", help: "The names are stable; a counter that does not apply is absent.",
            options: [
                .parameter(
                    "session", .boolean, isOptional: true, "Only those of the reference, of what plays in the region."),
                .parameter(
                    "describe", .boolean, isOptional: true, "What each counts, in which unit, instead of its value."),
                region,
            ],
            answer: .dictionary(member: "stats", help: "value by name, in groups by engine")),
        CommandDescription(
            "events", "Show what happened",
            help: """
                Without options: the events that the box still has. With --follow: the last event of each type, then every
                event as it happens, until interrupted. Whoever reads too slowly loses the oldest and is told how many.
                """,
            options: [
                .parameter("follow", .boolean, isOptional: true, "Go on with every new event."),
                .parameter(
                    "since", .integer(0...Int64.max), isOptional: true, "Only events after this sequence."),
            ], answer: .events, streamArgument: "follow"),
        CommandDescription(
            "screenshot", "Take a picture of what is on the screen",
            options: [
                .parameter(
                    "output", .formatted(.file), isOptional: true, isLocal: true,
                    "PNG file; absent or -: standard output.")
            ], answer: .image),
        CommandDescription(
            "version", "Show the version of the service",
            answer: .record([.answer("version", "semantic version"), .answer("build", "build id")])),
        CommandDescription("shutdown", "End the service in good order", role: .administrator),
    ]
}
