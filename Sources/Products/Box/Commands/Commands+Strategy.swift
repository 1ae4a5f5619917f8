// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands for layout strategies, which put regions over or beside the layout (PLAY-33).
    static let strategies: [CommandDescription] = [
        CommandDescription(
            "strategies", "List the layout strategies",
            help: """
                In the order of the settings. Of those that are on, the layers lie above each other in this order: video,
                controls, advertisement, emergency.
                """,
            options: [
                .parameter("names", .boolean, isOptional: true, isLocal: true, "Print names only, one a line.")
            ],
            answer: .table(
                member: "strategies",
                [
                    .answer("name", "key of the command strategy"),
                    .answer("layer", "video, controls, advertisement or emergency"),
                    .answer("regions", "how many it has of its own"),
                    .answer("isOn", "whether it is on"),
                ])),
        CommandDescription(
            "strategy", "Put a layout strategy on, or take it off",
            help: """
                On: all that its layer lies above goes to the place that it leaves, and goes on playing. Off: what was
                there before is there again. What is so already stays. An emergency that would be one session more than
                playback.sessionLimit stops what plays below it, the last region first, until it is taken off.
                """,
            arguments: [
                .parameter("name", .text(1...32), names: "strategies", "Of the settings."),
                .parameter("state", .choice(["on", "off"]), "On or off."),
            ], options: transition, role: .operator, answer: stageTable),
    ]
}
