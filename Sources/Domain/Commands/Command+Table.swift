// SPDX-License-Identifier: Apache-2.0
import Venue

extension Command {
    /// Every command once, in the order of the help.
    public static let all: [Command] =
        watching + health + decoders + guide + data + playback + screenText + stage + strategies + service + http + [
            top, console,
        ]

    private static let watching: [Command] = [
        Command(
            "status", "Show what the box is doing",
            answer: .record([
                AnswerField("boxId", "identity of the box"),
                AnswerField("boxName", "its name in settings"),
                AnswerField("version", "of the service"),
                AnswerField("address", "of the interface that it listens on"),
                AnswerField("uptimeMs", "since the service started"),
                AnswerField("serviceState", "up or down"),
                AnswerField("serviceReason", "why it is down"),
                AnswerField("channel", "name of what is tuned or played, or null"),
                AnswerField("playerState", "open, play, rewind, live, stop or close; null when nothing is tuned"),
                AnswerField("isOpen", "whether a session is open"),
                AnswerField("isPlaying", "whether pictures or sound advance"),
                AnswerField("isPaused", "by command"),
                AnswerField("isVisible", "by command visible"),
                AnswerField("isBackgroundPlaybackAllowed", "by command background"),
                AnswerField("session", "number of the session, or null"),
                AnswerField("volume", "0...100"),
                AnswerField("isMuted", "by command mute or settings"),
                AnswerField("channelCount", "channels in the line-up"),
                AnswerField("streamerCount", "streamers heard"),
                AnswerField("layout", "name of the one that is on"),
                AnswerField("output", "kind and size of the stage"),
                AnswerField("httpPort", "of the HTTP API on loopback; null when there is none"),
                AnswerField("time", "by the clock of the box"),
                AnswerField("localTime", "the same in screenText.timeZone"),
            ])),
        Command(
            "channels", "List the channels of the line-up",
            help: "In the order of lineUp.order. Playlists are listed among them, without an address.",
            options: [
                CommandParameter(
                    "kind", .choice(Channel.Kind.allCases.map(\.rawValue)), isOptional: true, "Only channels of a kind."
                ),
                CommandParameter("group", .text(1...64), isOptional: true, "Only channels of a group of the settings."),
                CommandParameter("favourites", .flag, isOptional: true, "Only favourites."),
                CommandParameter("hidden", .flag, isOptional: true, "Those that are hidden as well."),
                CommandParameter("names", .flag, isOptional: true, isLocal: true, "Print names only, one a line."),
            ],
            answer: .table(
                member: "channels",
                [
                    AnswerField("number", "logical number"),
                    AnswerField("name", "key of every command that takes a channel"),
                    AnswerField("kind", "video, data or file"),
                    AnswerField("address", "multicast group"),
                    AnswerField("port", "UDP port"),
                    AnswerField("bandwidthKbps", "nominal, kbit/s; 0: not known"),
                    AnswerField("channelText", "description"),
                    AnswerField("id", isDetail: true, "stable while the session is announced"),
                    AnswerField("origin", isDetail: true, "settings, announcement or playlist"),
                    AnswerField("groups", isDetail: true, "of lineUp.channels"),
                    AnswerField("isFavourite", isDetail: true, "of lineUp.channels"),
                    AnswerField("isHidden", isDetail: true, "by lineUp.channels, or in no view of the box"),
                    AnswerField("now", isDetail: true, "what is on, as in epg; null: not known"),
                    AnswerField("source", isDetail: true, "the one sender heard, or null"),
                    AnswerField("encapsulation", isDetail: true, "rtp, raw or elementary"),
                    AnswerField("payloadType", isDetail: true, "of RTP (the first medium's of elementary), or null"),
                    AnswerField("playoutDelayMs", isDetail: true, "announced, or null"),
                    AnswerField("repair", isDetail: true, "how lost packets are made again, or null"),
                    AnswerField("secondPath", isDetail: true, "the same packets once more, or null"),
                    AnswerField("furtherSources", isDetail: true, "heard when the source falls silent"),
                    AnswerField("contentType", isDetail: true, "of a data channel's messages, or null"),
                    AnswerField("sessionNum", isDetail: true, "session number of the streamer"),
                    AnswerField("sessionTitle", isDetail: true, "title of the session"),
                    AnswerField("streamer", isDetail: true, "id of the streamer, or null"),
                    AnswerField("venueName", isDetail: true, "licence of the channel, or null"),
                    AnswerField("contentOwner", isDetail: true, "licence of the channel, or null"),
                    AnswerField("appDeveloper", isDetail: true, "licence of the channel, or null"),
                ])),
        Command(
            "streamers", "List the head-ends that are heard",
            answer: .table(
                member: "streamers",
                [
                    AnswerField("name", "as announced"),
                    AnswerField("address", "source of its announcements"),
                    AnswerField("version", "of its announcements; null for plain SDP"),
                    AnswerField("channelCount", "channels that it announces"),
                    AnswerField("isAllowed", "by announcements.allow and .deny"),
                    AnswerField("sinceLastHeardMs", "age of its last announcement"),
                    AnswerField("sinceFirstHeardMs", isDetail: true, "age of its first"),
                    AnswerField("id", isDetail: true, "identity"),
                ])),
        Command(
            "tune", "Play a channel", help: "Leaves the channel that plays. Returns when the channel is being joined.",
            arguments: [
                CommandParameter(
                    "channel", .text(1...128), completion: .channelNames,
                    "Name of a channel or playlist; or else its id, or its number.")
            ], options: [region], role: .operator, answer: listedChannel),
        Command(
            "channel-up", "Play the next channel of the list",
            help: "Hidden ones are passed by; the first follows the last.", options: [region], role: .operator,
            answer: listedChannel),
        Command(
            "channel-down", "Play the previous channel of the list",
            help: "Hidden ones are passed by; the last follows the first.", options: [region], role: .operator,
            answer: listedChannel),
        Command("stop", "Stop playing and show the slate", options: [region], role: .operator),
    ]

    private static let listedChannel = AnswerShape.record([
        AnswerField("channel", "the channel's name"), AnswerField("number", "its logical number"),
    ])

    private static let service: [Command] = [
        Command(
            "stats", "Show the counters", help: "The names are stable; a counter that does not apply is absent.",
            options: [
                CommandParameter(
                    "session", .flag, isOptional: true, "Only the 25 of the reference, of what plays in the region."),
                region,
            ],
            answer: .dictionary(member: "stats", help: "value by name, in groups by engine")),
        Command(
            "events", "Show what happened",
            help: """
                Without options: the events that the box still has. With --follow: the last event of each type, then every
                event as it happens, until interrupted. Whoever reads too slowly loses the oldest and is told how many.
                """,
            options: [
                CommandParameter("follow", .flag, isOptional: true, "Go on with every new event."),
                CommandParameter(
                    "since", .integer(0...Int64.max), isOptional: true, "Only events after this sequence."),
            ], answer: .events),
        Command(
            "screenshot", "Take a picture of what is on the screen",
            options: [
                CommandParameter(
                    "output", .path, isOptional: true, isLocal: true, "PNG file; absent or -: standard output.")
            ], answer: .image),
        Command(
            "log-level", "Set how much is logged", help: "Until the service ends; settings decide at its start.",
            arguments: [
                CommandParameter(
                    "subsystem", .text(1...32), isOptional: true, "Absent: all that have none of their own."),
                CommandParameter("level", .choice(LogLevel.allCases.map(\.rawValue)), "Each shows all that follow it."),
            ], role: .administrator,
            answer: .record([
                AnswerField("level", "of subsystems that have none of their own"),
                AnswerField("subsystems", "level by subsystem"),
            ])),
        Command(
            "config", "Show the effective settings",
            answer: .document(member: "config", help: "settings with every default, secrets masked")),
        Command(
            "version", "Show the version of the service",
            answer: .record([AnswerField("version", "semantic version"), AnswerField("build", "build id")])),
        Command("shutdown", "End the service in good order", role: .administrator),
        Command(
            "help", "Explain a command",
            arguments: [
                CommandParameter(
                    "command", .text(1...32), isOptional: true, completion: .commands, "Absent: list them.")
            ], isLocal: true),
        Command(
            "completion", "Print a completion script for a shell",
            help: "bash: source <(touchline completion bash)",
            arguments: [CommandParameter("shell", .choice(Shell.allCases.map(\.rawValue)), "Whose script.")],
            isLocal: true),
        Command(
            "man", "Print a manual page", help: "In roff: touchline man touchlined | man -l -",
            arguments: [
                CommandParameter(
                    "page", .choice(ManualPage.allCases.map(\.rawValue)), isOptional: true, "Absent: touchline.")
            ], isLocal: true),
    ]

    /// Options of every command line; none goes to the service.
    public static let commonOptions: [CommandParameter] = [
        CommandParameter("json", .flag, isOptional: true, isLocal: true, "Print the result as JSON."),
        CommandParameter("socket", .path, isOptional: true, isLocal: true, "Control socket of the service."),
        CommandParameter("help", .flag, isOptional: true, isLocal: true, "Explain instead of doing."),
    ]
}
