// SPDX-License-Identifier: Apache-2.0
import Commands
import Scene
import Shapes
import Time
import Venue

struct ChooseLayout: Command {
    var name: String?
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "layout", "Show the layout of the stage, or choose another",
        help: """
            What plays in a region that both layouts have goes on; regions that the new one lacks are closed. The
            layout gallery has as many tiles as the line-up has channels, up to playback.sessionLimit.
            """,
        role: .operator, example: "full")
    static let shape = Shape<Self>([
        .optionalArgument(
            "name", \.name, .absentOr(.text(1...32)), names: "layouts",
            "Of the settings or built-in; absent: the one that is on."),
        .transition(\.transition), .duration(\.durationMs),
    ])

    func run(on layouts: Layouts) throws(Status) -> StageAnswer {
        if let name {
            try layouts.choose(layouts.layout(named: name), layouts.transition(transition, durationMs))
        }
        return layouts.stage
    }
}

struct ShowGallery: Command {
    var channels = ""
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "gallery", "Show several channels in a grid", help: "The first of them plays in main.", role: .operator)
    static let shape = Shape<Self>([
        .argument(
            "channels", \.channels, .text(1...2_048), "Names, ids or numbers with a comma between two: One,Two,7."),
        .transition(\.transition), .duration(\.durationMs),
    ])

    func run(on layouts: Layouts) throws(Status) -> StageAnswer {
        let wanted = channels.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
        let limit = layouts.regions.sessionLimit
        guard wanted.count <= limit else {
            throw .failure(.failed, "channels are \(wanted.count); expected at most playback.sessionLimit (\(limit))")
        }
        for channel in wanted { try layouts.regions.tuner?.checkTunable(channel) }
        try layouts.choose(layouts.gallery(of: wanted), layouts.transition(transition, durationMs))
        return layouts.stage
    }
}

struct ListRegions: Command {
    static let about = About(
        "regions", "List the regions of the stage", help: "What is in each of them, and how it is heard.", example: "",
        clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>()

    func run(on layouts: Layouts) throws(Status) -> StageAnswer { layouts.stage }
}

struct ListLayouts: Command {
    static let about = About(
        "layouts", "List the layouts", example: "",
        clientOptions: [.clientOption("names", .boolean, "Print names only, one a line.")])
    static let shape = Shape<Self>()

    func run(on layouts: Layouts) throws(Status) -> LayoutList { LayoutList(layouts: layouts.layoutRows) }
}

struct LayoutList: Answer {
    let layouts: [LayoutRow]

    static let shape = Shape<Self>([
        .value("layouts", \.layouts, .list(of: .row), "the built-in ones, then those of the settings")
    ])
}

struct LayoutRow: Answer {
    enum Origin: String, Sendable, CaseIterable { case builtIn, settings }

    let name: String
    let origin: Origin
    let regions: Int?
    let isShown: Bool

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "key of the command layout"),
        .value("origin", \.origin, .choice, "settings or builtIn"),
        .value("regions", \.regions, .optional(.count), "how many; null: as many as there are channels"),
        .value("isShown", \.isShown, .boolean, "whether it is on the stage, changed by command or not"),
    ])
}
