// SPDX-License-Identifier: Apache-2.0
import Commands
import Presentation
import Shapes
import Venue

struct SwitchDisplay: Command {
    var item = ScreenText.Item.stats
    var state = ScreenText.Mode.auto

    static let about = About(
        "osd", "Show or hide a part of the screen text",
        help: """
            stats: a table of counters, once a second. banner: number and name of the channel, what is on and what \
            follows. transport: whether it is paused and how far behind live. auto is as at start: the banner comes \
            after tuning, the transport bar while it is paused or behind live, the table not at all.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("item", \.item, .choice, "Which part."),
        .argument("state", \.state, .choice, "Always, never, or when there is a reason."),
    ])

    func run(on display: OnScreenDisplay) throws(Status) -> Done {
        try display.set(item, state)
        return Done()
    }
}
