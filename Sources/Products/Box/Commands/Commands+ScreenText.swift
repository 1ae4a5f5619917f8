// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes

extension CommandDescription {
    /// Commands for the text over the pictures (SVM-11, 68, 69).
    static let screenText: [CommandDescription] = [
        CommandDescription(
            "osd", "Show or hide a part of the screen text",
            help: """
                stats: a table of counters, once a second. banner: number and name of the channel, what is on and what \
                follows. transport: whether it is paused and how far behind live. auto is as at start: the banner comes \
                after tuning, the transport bar while it is paused or behind live, the table not at all.
                """,
            arguments: [
                .parameter("item", .choice(["stats", "banner", "transport"]), "Which part."),
                .parameter("state", .choice(["on", "off", "auto"]), "Always, never, or when there is a reason."),
            ], role: .operator),
        CommandDescription(
            "ticker", "Run a text across the screen",
            help: """
                For ever, in place of the one before, the way the text reads. It moves by the same number of pixels in \
                every frame. What is wider than 16384 pixels is set smaller, and then cut.
                """,
            arguments: [.parameter("text", .text(1...2_000), "What it says.")],
            options: [
                .parameter(
                    "pixelsPerSecond", .integer(10...2_000), isOptional: true,
                    "Absent: a twelfth of the stage's width."),
                .parameter("position", .choice(["top", "bottom"]), isOptional: true, "Absent: bottom."),
            ], role: .operator),
        CommandDescription("ticker-clear", "Take the ticker away", role: .operator),
        CommandDescription(
            "message", "Show a message on the screen",
            help: """
                In place of the one before. An emergency message stands above everything else until it is taken away; \
                another one goes by itself.
                """,
            arguments: [.parameter("text", .text(1...1_000), "What it says; line feeds begin new lines.")],
            options: [
                .parameter("emergency", .boolean, isOptional: true, "Above everything, in red."),
                .parameter(
                    "durationMs", .integer(1_000...86_400_000), isOptional: true,
                    "How long one that is no emergency stays; absent: 10000."),
            ], role: .operator),
        CommandDescription("message-clear", "Take every message away", role: .operator),
    ]
}
