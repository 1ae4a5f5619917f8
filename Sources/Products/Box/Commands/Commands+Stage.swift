// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands that arrange the regions of the stage and choose which are heard (SVM-70, 71, MEET-46, 47).
    static let stage: [CommandDescription] = [
        CommandDescription(
            "layout", "Show the layout of the stage, or choose another",
            help: """
                What plays in a region that both layouts have goes on; regions that the new one lacks are closed. The
                layout gallery has as many tiles as the line-up has channels, up to playback.sessionLimit.
                """,
            arguments: [
                .parameter(
                    "name", .text(1...32), isOptional: true, names: "layouts",
                    "Of the settings or built-in; absent: the one that is on.")
            ], options: transition, role: .operator, answer: stageTable),
        CommandDescription(
            "layouts", "List the layouts",
            options: [
                .parameter("names", .boolean, isOptional: true, isLocal: true, "Print names only, one a line.")
            ],
            answer: .table(
                member: "layouts",
                [
                    .answer("name", "key of the command layout"),
                    .answer("origin", "settings or builtIn"),
                    .answer("regions", "how many; null: as many as there are channels"),
                    .answer("isShown", "whether it is on the stage, changed by command or not"),
                ])),
        CommandDescription(
            "regions", "List the regions of the stage", help: "What is in each of them, and how it is heard.",
            options: [
                .parameter("names", .boolean, isOptional: true, isLocal: true, "Print names only, one a line.")
            ], answer: stageTable),
        CommandDescription(
            "region", "Move, resize or change a region of the stage",
            help: """
                Until another layout is chosen. A new region has to be given x, y, width and height, all in
                ten-thousandths of the stage.
                """,
            arguments: [
                .parameter(
                    "name", .text(1...32), names: "regions", "Of one that is there, or of a new one.")
            ],
            options: geometry + transition, role: .operator, answer: stageTable),
        CommandDescription(
            "region-remove", "Take a region off the stage", help: "What plays there is closed; main stays.",
            arguments: [
                .parameter("name", .text(1...32), names: "regions", "Of one that is there.")
            ], options: transition, role: .operator, answer: stageTable),
        CommandDescription(
            "gallery", "Show several channels in a grid", help: "The first of them plays in main.",
            arguments: [
                .parameter(
                    "channels", .text(1...2_048), "Names, ids or numbers with a comma between two: One,Two,7.")
            ], options: transition, role: .operator, answer: stageTable),
        CommandDescription(
            "viewport", "Show which part of the layout is seen, or another one",
            help: """
                The stage shows that part all over it, in ten-thousandths of the layout; what is out of sight waits. What
                is not given stays. Until another layout is chosen.
                """,
            options: view + transition, role: .operator,
            answer: .record([
                .answer("x", "left edge, ten-thousandths of the layout"),
                .answer("y", "upper edge"),
                .answer("width", "ten-thousandths of the layout"),
                .answer("height", "ten-thousandths of the layout"),
            ])),
        CommandDescription(
            "audio-region", "Hear one region of the stage", help: "The others are muted.",
            arguments: [
                .parameter("region", .text(1...32), names: "regions", "The one that is heard.")
            ],
            role: .operator, answer: sound),
    ]

    /// The options with which the command `region` changes a region.
    private static let geometry: [FieldDescription] = [
        part("x", 0...9_999, "Left edge."), part("y", 0...9_999, "Upper edge."),
        part("width", 1...10_000, "Width."), part("height", 1...10_000, "Height."),
        part("opacity", 0...100, "Percent."),
        part("order", -100...100, "Regions of a higher one lie above."),
        .parameter(
            "fit", .choice(["fit", "fill", "stretch"]), isOptional: true,
            "All of the picture, all of the region, or both out of shape."),
        .parameter(
            "rotation", .choice(["0", "90", "180", "270"]), isOptional: true, "Degrees clockwise."),
        .parameter(
            "crop", .text(1...23), isOptional: true,
            "The part of the picture that is shown: X,Y,WIDTH,HEIGHT in ten-thousandths of it."),
        .parameter(
            "channel", .text(1...128), isOptional: true, names: "channels",
            "Tuned there, as by the command tune."),
    ]

    /// The options with which the command `viewport` changes the viewport.
    private static let view: [FieldDescription] = [
        part("x", 0...9_999, "Left edge."), part("y", 0...9_999, "Upper edge."),
        part("width", 1...10_000, "Width: 10000 is all of it."),
        part("height", 1...10_000, "Height: 10000 is all of it."),
        .parameter(
            "pan", .choice(["left", "right", "up", "down"]), isOptional: true,
            "On by as much as is seen, up to the layout's edge."),
        .parameter(
            "region", .text(1...32), isOptional: true, names: "regions",
            "What this region of the layout has, and no more."),
    ]

    static let transition: [FieldDescription] = [
        .parameter(
            "transition", .choice(["cut", "fade"]), isOptional: true,
            "From what is shown now; absent: as output.transitionMs."),
        .parameter("durationMs", .integer(0...5_000), isOptional: true, "Of the fade."),
    ]

    private static func part(_ name: String, _ range: ClosedRange<Int64>, _ help: String) -> FieldDescription {
        .parameter(name, .integer(range), isOptional: true, help)
    }

    static let stageTable = AnswerDescription.table(
        member: "regions",
        [
            .answer("name", "of the region"),
            .answer("x", "left edge, ten-thousandths of the stage; null: out of sight"),
            .answer("y", "upper edge"),
            .answer("width", "ten-thousandths of the stage"),
            .answer("height", "ten-thousandths of the stage"),
            .answer("plays", "name of what is open there, or null"),
            .answer("session", "its number, or null"),
            .answer("volume", "0...100, before all are mixed"),
            .answer("isMuted", "whether it is silent"),
            .answer("channel", isDetail: true, "tuned when the layout came on; absent: none"),
            .answer("fit", isDetail: true, "fit, fill or stretch"),
            .answer("crop", isDetail: true, "x, y, width, height of the part of the picture that is shown"),
            .answer("rotation", isDetail: true, "degrees clockwise"),
            .answer("order", isDetail: true, "regions of a higher one lie above"),
            .answer("opacity", isDetail: true, "percent"),
            .answer("isSeen", isDetail: true, "whether the viewport shows any of it; else it has no place"),
            .answer(
                "layer", isDetail: true, "video, controls, advertisement or emergency: those lie above each other"),
            .answer("strategy", isDetail: true, "the one that it belongs to; absent: the layout's"),
            .answer("playerState", isDetail: true, "as in status; null when nothing is open"),
        ])
}
