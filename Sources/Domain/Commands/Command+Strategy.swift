// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// What lies over the layout or beside it (PLAY-33).
    static let strategies: [Command] = [
        Command(
            "strategies", "List the layout strategies",
            help: """
                In the order of the settings. Of those that are on, the layers lie above each other in this order: video,
                controls, advertisement, emergency.
                """,
            options: [
                CommandParameter("names", .flag, isOptional: true, isLocal: true, "Print names only, one a line.")
            ],
            answer: .table(
                member: "strategies",
                [
                    AnswerField("name", "key of the command strategy"),
                    AnswerField("layer", "video, controls, advertisement or emergency"),
                    AnswerField("regions", "how many it has of its own"),
                    AnswerField("isOn", "whether it is on"),
                ])),
        Command(
            "strategy", "Put a layout strategy on, or take it off",
            help: """
                On: all that its layer lies above goes to the place that it leaves, and goes on playing. Off: what was
                there before is there again. What is so already stays. An emergency that would be one session more than
                playback.sessionLimit stops what plays below it, the last region first, until it is taken off.
                """,
            arguments: [
                CommandParameter("name", .text(1...32), completion: .strategyNames, "Of the settings."),
                CommandParameter("state", .choice(["on", "off"]), "On or off."),
            ], options: transition, role: .operator, answer: stageTable),
    ]
}
