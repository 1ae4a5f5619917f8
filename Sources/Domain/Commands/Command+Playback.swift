// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// What is done to the session that plays (SVM-56…66, 68, PLAY-05…10).
    static let playback: [Command] = [
        Command(
            "play", "Go on playing", help: "Without effect when nothing is open or it plays already.",
            options: [session, region], role: .operator),
        Command(
            "pause", "Hold the picture", help: "Without effect when nothing is open or it is paused already.",
            options: [session, region], role: .operator),
        Command(
            "seek-absolute", "Go to a distance behind live",
            help: """
                Positive is away from live, 0 and less is live; too far is as far as the history reaches. In a file: to a
                position from its beginning. Returns when the picture is on the screen.
                """,
            arguments: [offset("ms", "Milliseconds behind live.")], options: [session, region], role: .operator,
            answer: place),
        Command(
            "seek-relative", "Go back or forth",
            help: """
                Negative goes back, positive toward live: the opposite sign of seek-absolute. Too far is as far as
                possible. Returns when the picture is on the screen.
                """,
            arguments: [offset("ms", "Milliseconds from here.")], options: [session, region], role: .operator,
            answer: place),
        Command(
            "rewind", "Go back",
            help: "By the magnitude, whichever the sign. Returns when the picture is on the screen.",
            arguments: [offset("ms", "Milliseconds.")], options: [session, region], role: .operator, answer: place),
        Command(
            "live", "Go to live", help: "The same as seek-absolute 0. A file has no live: it goes to its beginning.",
            options: [session, region], role: .operator, answer: place),
        Command(
            "next", "Go to the next of the playlist", options: [region], role: .operator,
            answer: .record([AnswerField("channel", "name of what is opened, or null")])),
        Command(
            "playlist", "Play a playlist", help: "Without playback.autoPlay it waits for the command play.",
            arguments: [
                CommandParameter(
                    "name", .text(1...64), completion: .playlistNames, "Name of a playlist of the settings.")
            ], options: [region], role: .operator,
            answer: .record([AnswerField("channel", "name of what is opened, or null")])),
        Command(
            "playlists", "List the playlists of the settings",
            options: [
                CommandParameter("names", .flag, isOptional: true, isLocal: true, "Print names only, one a line.")
            ],
            answer: .table(
                member: "playlists",
                [AnswerField("name", "key of the command playlist"), AnswerField("items", "how many")])),
        Command(
            "volume", "Set the volume",
            help: "Of all together; with --region of one before it is mixed, which is heard then.",
            arguments: [CommandParameter("volume", .integer(0...100), "0 is silent.")], options: [heardRegion],
            role: .operator, answer: sound),
        Command(
            "mute", "Silence the sound", help: "Of all together; with --region of one.", arguments: [onOrOff],
            options: [heardRegion], role: .operator, answer: sound),
        Command(
            "audio", "Choose the language of the sound", help: "For all sessions until the service ends.",
            arguments: [CommandParameter("language", .text(1...8), "ISO 639-2 code, or default: the first.")],
            options: [
                CommandParameter(
                    "region", .text(1...32), isOptional: true, completion: .regionNames, "Only in this region.")
            ],
            role: .operator),
        Command(
            "program", "Choose the program of the channel", help: "Until another channel is tuned.",
            arguments: [
                CommandParameter(
                    "program", .integerOrWord(1...65_535, "default"), "Program number, or default: the first.")
            ], options: [region], role: .operator),
        Command(
            "position", "Show where the play-head is", options: [region],
            answer: .record([
                AnswerField("session", "number of the session"),
                AnswerField("channel", "name of what plays"),
                AnswerField("offsetMs", "behind live; 0 for files"),
                AnswerField("availableMs", "how far behind live the history reaches; 0 for files"),
                AnswerField("progressMs", "from the beginning of the file or session"),
                AnswerField("durationMs", "of a file; null: live or not known"),
                AnswerField("isPaused", "by command"),
            ])),
        Command(
            "streams", "List the streams of what plays", options: [region],
            answer: .table(
                member: "streams",
                [
                    AnswerField("program", "program number"),
                    AnswerField("pid", "PID in the transport stream, or index in a file"),
                    AnswerField("codec", "how it is coded"),
                    AnswerField("language", "ISO 639-2 code, or null"),
                    AnswerField("isPlayed", "whether it is shown or heard"),
                ])),
        Command(
            "visible", "Say whether the picture is to be seen",
            help: "Hidden, it is paused, or only heard with background on.", arguments: [onOrOff], options: [region],
            role: .operator),
        Command(
            "background", "Allow sound while the picture is hidden", help: "Off at start; takes effect at once.",
            arguments: [onOrOff], options: [region], role: .operator),
    ]

    private static let session = CommandParameter(
        "session", .integer(1...Int64.max), isOptional: true,
        "Fail unless this session is open; says the region as well.")
    static let region = CommandParameter(
        "region", .text(1...32), isOptional: true, completion: .regionNames, "Of the stage; absent: main.")
    private static let heardRegion = CommandParameter(
        "region", .text(1...32), isOptional: true, completion: .regionNames, "Of the stage; absent: all together.")
    private static let onOrOff = CommandParameter("state", .choice(["on", "off"]), "Which.")

    private static let place = AnswerShape.record([
        AnswerField("offsetMs", "reached, behind live; absent for files"),
        AnswerField("positionMs", "reached, from the beginning of a file; absent for channels"),
    ])
    static let sound = AnswerShape.record([
        AnswerField("volume", "0...100"), AnswerField("isMuted", "whether it is silent"),
        AnswerField("region", "of which; absent: of all together"),
    ])

    /// Within a day.
    private static func offset(_ name: String, _ help: String) -> CommandParameter {
        CommandParameter(name, .integer(-86_400_000...86_400_000), help)
    }
}
