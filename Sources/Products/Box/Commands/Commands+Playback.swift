// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands that control the current session of a region (SVM-56…66, 68, PLAY-05…10).
    static let playback: [CommandDescription] = [
        CommandDescription(
            "play", "Go on playing", help: "Without effect when nothing is open or it plays already.",
            options: [session, region], role: .operator),
        CommandDescription(
            "pause", "Hold the picture", help: "Without effect when nothing is open or it is paused already.",
            options: [session, region], role: .operator),
        CommandDescription(
            "seek-absolute", "Go to a distance behind live",
            help: """
                Positive is away from live, 0 and less is live; too far is as far as the history reaches. In a file: to a
                position from its beginning. Returns when the picture is on the screen.
                """,
            arguments: [offset("ms", "Milliseconds behind live.")], options: [session, region], role: .operator,
            answer: place),
        CommandDescription(
            "seek-relative", "Go back or forth",
            help: """
                Negative goes back, positive toward live: the opposite sign of seek-absolute. Too far is as far as
                possible. Returns when the picture is on the screen.
                """,
            arguments: [offset("ms", "Milliseconds from here.")], options: [session, region], role: .operator,
            answer: place),
        CommandDescription(
            "rewind", "Go back",
            help: "By the magnitude, whichever the sign. Returns when the picture is on the screen.",
            arguments: [offset("ms", "Milliseconds.")], options: [session, region], role: .operator, answer: place),
        CommandDescription(
            "live", "Go to live", help: "The same as seek-absolute 0. A file has no live: it goes to its beginning.",
            options: [session, region], role: .operator, answer: place),
        CommandDescription(
            "next", "Go to the next of the playlist", options: [region], role: .operator,
            answer: .record([.answer("channel", "name of what is opened, or null")])),
        CommandDescription(
            "playlist", "Play a playlist", help: "Without playback.autoPlay it waits for the command play.",
            arguments: [
                .parameter(
                    "name", .text(1...64), names: "playlists", "Name of a playlist of the settings.")
            ], options: [region], role: .operator,
            answer: .record([.answer("channel", "name of what is opened, or null")])),
        CommandDescription(
            "playlists", "List the playlists of the settings",
            options: [
                .parameter("names", .boolean, isOptional: true, isLocal: true, "Print names only, one a line.")
            ],
            answer: .table(
                member: "playlists",
                [.answer("name", "key of the command playlist"), .answer("items", "how many")])),
        CommandDescription(
            "volume", "Set the volume",
            help: "Of all together; with --region of one before it is mixed, which is heard then.",
            arguments: [.parameter("volume", .integer(0...100), "0 is silent.")], options: [heardRegion],
            role: .operator, answer: sound),
        CommandDescription(
            "mute", "Silence the sound", help: "Of all together; with --region of one.", arguments: [onOrOff],
            options: [heardRegion], role: .operator, answer: sound),
        CommandDescription(
            "audio", "Choose the language of the sound", help: "For all sessions until the service ends.",
            arguments: [.parameter("language", .text(1...8), "ISO 639-2 code, or default: the first.")],
            options: [
                .parameter(
                    "region", .text(1...32), isOptional: true, names: "regions", "Only in this region.")
            ],
            role: .operator),
        CommandDescription(
            "program", "Choose the program of the channel", help: "Until another channel is tuned.",
            arguments: [
                .parameter(
                    "program", .wordOr(["default"], .integer(1...65_535)), "Program number, or default: the first.")
            ], options: [region], role: .operator),
        CommandDescription(
            "position", "Show where the play-head is", options: [region],
            answer: .record([
                .answer("session", "number of the session"),
                .answer("channel", "name of what plays"),
                .answer("offsetMs", "behind live; 0 for files"),
                .answer("availableMs", "how far behind live the history reaches; 0 for files"),
                .answer("progressMs", "from the beginning of the file or session"),
                .answer("durationMs", "of a file; null: live or not known"),
                .answer("isPaused", "by command"),
            ])),
        CommandDescription(
            "streams", "List the streams of what plays", options: [region],
            answer: .table(
                member: "streams",
                [
                    .answer("program", "program number"),
                    .answer("pid", "PID in the transport stream, or index in a file"),
                    .answer("codec", "how it is coded"),
                    .answer("language", "ISO 639-2 code, or null"),
                    .answer("isPlayed", "whether it is shown or heard"),
                ])),
        CommandDescription(
            "visible", "Say whether the picture is to be seen",
            help: "Hidden, it is paused, or only heard with background on.", arguments: [onOrOff], options: [region],
            role: .operator),
        CommandDescription(
            "background", "Allow sound while the picture is hidden", help: "Off at start; takes effect at once.",
            arguments: [onOrOff], options: [region], role: .operator),
    ]

    private static let session = FieldDescription.parameter(
        "session", .integer(1...Int64.max), isOptional: true,
        "Fail unless this session is open; says the region as well.")
    static let region = FieldDescription.parameter(
        "region", .text(1...32), isOptional: true, names: "regions", "Of the stage; absent: main.")
    private static let heardRegion = FieldDescription.parameter(
        "region", .text(1...32), isOptional: true, names: "regions", "Of the stage; absent: all together.")
    private static let onOrOff = FieldDescription.parameter("state", .choice(["on", "off"]), "Which.")

    private static let place = AnswerDescription.record([
        .answer("offsetMs", "reached, behind live; absent for files"),
        .answer("positionMs", "reached, from the beginning of a file; absent for channels"),
    ])
    static let sound = AnswerDescription.record([
        .answer("volume", "0...100"), .answer("isMuted", "whether it is silent"),
        .answer("region", "of which; absent: of all together"),
    ])

    /// An offset in milliseconds, at most a day either way.
    private static func offset(_ name: String, _ help: String) -> FieldDescription {
        .parameter(name, .integer(-86_400_000...86_400_000), help)
    }
}
