// SPDX-License-Identifier: Apache-2.0
import Commands
import Scene
import Shapes
import Venue

struct ListStrategies: Command {
    static let about = About(
        "strategies", "List the layout strategies",
        help: """
            In the order of the settings. Of those that are on, the layers lie above each other in this order: video,
            controls, advertisement, emergency.
            """,
        example: "", clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>()

    func run(on layouts: Layouts) throws(Status) -> StrategyList { StrategyList(strategies: layouts.strategyRows) }
}

struct StrategyList: Answer {
    let strategies: [StrategyRow]

    static let shape = Shape<Self>([
        .value("strategies", \.strategies, .list(of: .row), "in the order of the settings")
    ])
}

struct StrategyRow: Answer {
    let name: String
    let layer: StageLayer
    let regions: Int
    let isOn: Bool

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "key of the command strategy"),
        .value("layer", \.layer, .choice, "video, controls, advertisement or emergency"),
        .value("regions", \.regions, .count, "how many it has of its own"),
        .value("isOn", \.isOn, .boolean, "whether it is on"),
    ])
}

struct SwitchStrategy: Command {
    var name = ""
    var state = Switch.off
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "strategy", "Put a layout strategy on, or take it off",
        help: """
            On: all that its layer lies above goes to the place that it leaves, and goes on playing. Off: what was
            there before is there again. What is so already stays. An emergency that would be one session more than
            playback.sessionLimit stops what plays below it, the last region first, until it is taken off.
            """,
        role: .operator)
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(1...32), names: "strategies", "Of the settings."),
        .argument("state", \.state, .choice, "On or off."), .transition(\.transition), .duration(\.durationMs),
    ])

    func run(on layouts: Layouts) throws(Status) -> StageAnswer {
        try layouts.switchStrategy(name, isOn: state == .on, layouts.transition(transition, durationMs))
        return layouts.stage
    }
}
