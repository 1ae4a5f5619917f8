// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

struct UseChannelList: Command {
    enum Action: String, Sendable, CaseIterable {
        case show, hide, up, down
        case pageUp = "page-up"
        case pageDown = "page-down"
        case first, last, tune
    }

    var action = Action.show
    var group: String?
    var favouritesOnly = false

    static let about = About(
        "list", "Choose a channel from a list on the screen",
        help: """
            show opens the list at the channel that is tuned, and the others move in it and open it if need be, as the \
            keys of a remote control would; tune plays the selected channel in `main` and closes the list. It closes by \
            itself after channelList.closeMs. The answer says what is selected.
            """, role: .operator, example: "show")
    static let shape = Shape<Self>([
        .argument("action", \.action, .choice, "What to do."),
        .option("group", \.group, .absentOr(.text(1...64)), "With show: only the channels of this group."),
        .option("favouritesOnly", \.favouritesOnly, .boolean, "With show: only the favourites."),
    ])

    func run(on list: ChannelList) throws(Status) -> ListSelection {
        switch action {
        case .show: try list.show(group: group, favouritesOnly: favouritesOnly)
        case .hide: list.hide()
        case .tune: try list.tune()
        case .up: try list.move(.up)
        case .down: try list.move(.down)
        case .pageUp: try list.move(.pageUp)
        case .pageDown: try list.move(.pageDown)
        case .first: try list.move(.first)
        case .last: try list.move(.last)
        }
    }
}

/// What is selected in the list on the screen.
struct ListSelection: Answer {
    let isOpen: Bool
    let entry: ListedChannel?
    let place: Int
    let count: Int

    static let shape = Shape<Self>([
        .value("isOpen", \.isOpen, .boolean, "whether the list is on the screen"),
        .computed("number", .optional(.count), "of the selected channel; null: none") { $0.entry?.number },
        .computed("channel", .optional(.text), "its name; null: none") { $0.entry?.name },
        .value("place", \.place, .count, "of it in the list, from 1; 0: none is selected"),
        .value("count", \.count, .count, "channels in the list"),
    ])
}

struct TypeDigit: Command {
    var key = ""

    static let about = About(
        "digit", "Type the number of a channel, digit by digit",
        help: """
            The number is shown as it grows, with the channel that has it. That is tuned in `main` after four digits, when \
            no longer number begins with them, with ok, or channelList.digitMs after the last one; cancel forgets them.
            """, role: .operator, example: "ok")
    static let shape = Shape<Self>([
        .argument("key", \.key, .choice(keys), "A digit, ok or cancel.")
    ])

    private static let keys = (0...9).map { String($0) } + ["ok", "cancel"]

    func run(on list: ChannelList) throws(Status) -> TypedNumber {
        switch key {
        case "ok": try list.endNumber()
        case "cancel": list.cancelNumber()
        default: try list.type(Int(key) ?? 0)
        }
    }
}

struct TypedNumber: Answer {
    let digits: String
    let name: String?
    let isTuned: Bool

    static let shape = Shape<Self>([
        .value("digits", \.digits, .text, "what is typed; empty: nothing"),
        .value("channel", \.name, .optional(.text), "name of the channel with this number; null: none has it"),
        .value("isTuned", \.isTuned, .boolean, "whether it was tuned now"),
    ])
}
