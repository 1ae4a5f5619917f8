// SPDX-License-Identifier: Apache-2.0
import Commands
import LineUp
import Playback
import Scene
import Settings
import Shapes
import Venue

struct ChangeRegion: Command {
    var name = ""
    var x: Int?
    var y: Int?
    var width: Int?
    var height: Int?
    var opacity: Int?
    var order: Int?
    var fit: PictureFit?
    var rotation: String?
    var crop: String?
    var channel: String?
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "region", "Move, resize or change a region of the stage",
        help: """
            Until another layout is chosen. A new region has to be given x, y, width and height, all in
            ten-thousandths of the stage.
            """,
        role: .operator, example: "main")
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(1...32), names: "regions", "Of one that is there, or of a new one."),
        .part("x", \.x, 0...9_999, "Left edge."), .part("y", \.y, 0...9_999, "Upper edge."),
        .part("width", \.width, 1...10_000, "Width."), .part("height", \.height, 1...10_000, "Height."),
        .part("opacity", \.opacity, 0...100, "Percent."),
        .part("order", \.order, -100...100, "Regions of a higher one lie above."),
        .option(
            "fit", \.fit, .absentOr(.choice), "All of the picture, all of the region, or both out of shape."),
        .option("rotation", \.rotation, .absentOr(.choice(["0", "90", "180", "270"])), "Degrees clockwise."),
        .option(
            "crop", \.crop, .absentOr(.text(1...23)),
            "The part of the picture that is shown: X,Y,WIDTH,HEIGHT in ten-thousandths of it."),
        .option(
            "channel", \.channel, .absentOr(.text(1...128)), names: "channels",
            "Tuned there, as by the command tune."),
        .transition(\.transition), .duration(\.durationMs),
    ])

    func run(on layouts: Layouts) throws(Status) -> StageAnswer {
        try layouts.change(self)
        return layouts.stage
    }

    /// The region that results from applying the command to a region as it is.
    /// - Parameter old: nil for a new region, for which the command has to give the whole area.
    func applied(to old: Region?) throws(Status) -> Region {
        var region = old ?? Region(name: name)
        region.area = SceneArea(
            x: try Self.edge("x", x, old?.area.x), y: try Self.edge("y", y, old?.area.y),
            width: try Self.edge("width", width, old?.area.width),
            height: try Self.edge("height", height, old?.area.height))
        if let opacity { region.opacity = opacity }
        if let order { region.order = order }
        if let fit { region.fit = fit }
        if let turn = rotation.flatMap({ Int($0) }).flatMap(QuarterTurn.init) { region.rotation = turn }
        if let crop { region.crop = try Self.area(of: crop) }
        if let problem = region.area.problems.first { throw Self.refused(problem.field, problem) }
        if let problem = region.crop.problems.first { throw Self.refused("crop \(problem.field)", problem) }
        return region
    }

    private static func edge(_ field: String, _ given: Int?, _ old: Int?) throws(Status) -> Int {
        if let given = given ?? old { return given }
        throw .failure(
            .failed, "\(field) is missing; expected ten-thousandths of the stage, because the region is a new one")
    }

    private static func area(of text: String) throws(Status) -> SceneArea {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 4, parts.allSatisfy((0...SceneArea.parts).contains), parts[2] > 0, parts[3] > 0 else {
            throw .failure(.failed, "crop is \"\(text)\"; expected X,Y,WIDTH,HEIGHT, each 0...10000 and not empty")
        }
        return SceneArea(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
    }

    private static func refused(
        _ field: String, _ problem: (field: String, value: Int, expectation: String)
    ) -> Status {
        .failure(.failed, "\(field) is \(problem.value); expected \(problem.expectation)")
    }
}

struct RemoveRegion: Command {
    var name = ""
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "region-remove", "Take a region off the stage", help: "What plays there is closed; main stays.",
        role: .operator)
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(1...32), names: "regions", "Of one that is there."),
        .transition(\.transition), .duration(\.durationMs),
    ])

    func run(on layouts: Layouts) throws(Status) -> StageAnswer {
        try layouts.checkIsOfLayout(name)
        var new = layouts.layout.shown
        guard let index = new.stage.regions.firstIndex(where: { $0.name == name }) else {
            throw layouts.regions.unknownRegion(name)
        }
        guard name != layouts.regions.main.name else {
            throw .failure(.failed, "region '\(name)' is always there: expected one of the others")
        }
        new.stage.regions.remove(at: index)
        new.channels[name] = nil
        layouts.put(new, isChanged: true, layouts.transition(transition, durationMs, else: .cut))
        return layouts.stage
    }
}

extension Field where Root: Record {
    static func part(_ name: String, _ path: Path<Int?>, _ range: ClosedRange<Int>, _ help: String) -> Field {
        .option(name, path, .absentOr(.integer(range)), help)
    }
}

extension Layouts {
    fileprivate func change(_ command: ChangeRegion) throws(Status) {
        let name = command.name
        try checkIsOfLayout(name)
        var new = layout.shown
        let index = new.stage.regions.firstIndex { $0.name == name }
        let region = try command.applied(to: index.map { new.stage.regions[$0] })
        if let index {
            new.stage.regions[index] = region
        } else {
            let limit = Settings.Layout.regionLimit
            guard new.stage.regions.count < limit else {
                throw .failure(.failed, "\(limit) regions are on the stage: expected fewer for a new one")
            }
            new.stage.regions.append(region)
        }
        if let problem = strategies.compose(new.stage).problem { throw .failure(.failed, "\(problem)") }
        if let channel = command.channel {
            try regions.tuner?.checkTunable(channel)
            let source = lineUp.current.entry(matching: channel)?.channel.map { SessionSource.live($0) }
            try regions.admit(source, called: channel, in: regions[name])
            new.channels[name] = channel
        }
        guard new != layout.shown || command.channel != nil else { return }
        put(new, isChanged: true, transition(command.transition, command.durationMs, else: .cut))
        guard let channel = command.channel, let player = regions[name] else { return }
        try regions.tuner?.tune(channel, in: player)
    }
}
