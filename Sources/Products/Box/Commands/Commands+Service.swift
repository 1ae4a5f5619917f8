// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

extension CommandDescription {
    static let watching: [CommandDescription] = [
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
    ]
}
