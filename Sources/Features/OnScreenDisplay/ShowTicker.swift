// SPDX-License-Identifier: Apache-2.0
import Commands
import Presentation
import Shapes
import Venue

struct ShowTicker: Command {
    var text = ""
    var pixelsPerSecond: Int?
    var position: TickerText.Position?
    var isOnTimeline = false

    static let about = About(
        "ticker", "Run a text across the screen",
        help: """
            For ever, in place of the one before, the way the text reads. It moves by the same number of pixels in \
            every frame. What is wider than 16384 pixels is set smaller, and then cut. With onTimeline it is where the \
            time stamps of what plays in `main` put it, and stands while that is paused: boxes that are held to one \
            timeline run it in unison, if their stages and displays are alike.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("text", \.text, .text(1...2_000), "What it says."),
        .option(
            "pixelsPerSecond", \.pixelsPerSecond, .absentOr(.integer(10...2_000)),
            "Absent: a twelfth of the stage's width."),
        .option("position", \.position, .absentOr(.choice), "Absent: bottom."),
        .option("onTimeline", \.isOnTimeline, .boolean, "Its place follows from what is presented."),
    ])

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        try display.write(
            .ticker(
                TickerText(
                    text, pixelsPerSecond: pixelsPerSecond, position: position ?? .bottom, isOnTimeline: isOnTimeline)))
        return Done()
    }
}

struct ClearTicker: Command {
    static let about = About("ticker-clear", "Take the ticker away", role: .operator, example: "")
    static let shape = Shape<Self>()

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        try display.write(.ticker(nil))
        return Done()
    }
}
