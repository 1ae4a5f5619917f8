// SPDX-License-Identifier: Apache-2.0
import Commands
import Presentation
import Shapes
import Time
import Venue

struct ShowMessage: Command {
    private static let span = Nanoseconds.seconds(10)

    var text = ""
    var isEmergency = false
    var durationMs: Int64?

    static let about = About(
        "message", "Show a message on the screen",
        help: """
            In place of the one before. An emergency message stands above everything else until it is taken away; \
            another one goes by itself.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("text", \.text, .lines(1...1_000), "What it says; line feeds begin new lines."),
        .option("emergency", \.isEmergency, .boolean, "Above everything, in red."),
        .option(
            "durationMs", \.durationMs, .absentOr(.integer(1_000...86_400_000)),
            "How long one that is no emergency stays; absent: 10000."),
    ])

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        let span = durationMs.map { Nanoseconds.milliseconds($0) } ?? Self.span
        try display.write(.message(ScreenMessage(text, isEmergency: isEmergency), span: span))
        return Done()
    }
}

struct ClearMessages: Command {
    static let about = About("message-clear", "Take every message away", role: .operator, example: "")
    static let shape = Shape<Self>()

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        try display.write(.message(nil, span: nil))
        return Done()
    }
}
