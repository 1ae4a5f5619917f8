// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import Shapes

extension Settings {
    /// What a command places over the layout or beside it, and what is played there (PLAY-33).
    public struct Strategy: Equatable, Sendable {
        public var layout: LayoutStrategy
        /// For a region's name: the name, id or number of the channel that is tuned when the strategy comes on.
        public var channels: [String: String]
        /// For a region's name: the text that is shown there while nothing plays.
        public var texts: [String: String]
        /// The only region that is heard while the strategy is active; nil leaves the sound as it was.
        public var audioRegion: String?

        public var name: String { layout.name }

        /// Session consumers that a strategy may add to what plays in its regions (PLAY-38).
        public enum Consumer: String, Sendable, CaseIterable {
            /// Emits an event for each session that ends, with what was shown of it.
            case proofOfPlay
        }
    }

    static let strategyFields = [
        FieldDescription("name", .text(1...32), .required, "The strategy's name, which commands take."),
        FieldDescription(
            "layer", .choice(StageLayer.allCases.map(\.rawValue)), .required,
            "Layer of the strategy. From the bottom: video, controls, advertisement, emergency."),
        .group("below", "The part of the stage to which everything below the strategy shrinks.", areaFields("stage")),
        FieldDescription(
            "regions", .list(of: .record(strategyRegionFields), 0...Layout.regionLimit), .defaulted([]),
            "Regions of the strategy. Their names are used by no layout and no other strategy."),
        FieldDescription(
            "audioRegion", .text(0...32), .defaulted(""),
            "The only region that is heard while the strategy is on; \"\" keeps what was heard before."),
        FieldDescription(
            "consumers", .list(of: .choice(Strategy.Consumer.allCases.map(\.rawValue)), 0...4), .defaulted([]),
            """
            What follows the sessions in the strategy's regions. proofOfPlay: an event session.played at the end of each \
            of them, with its seconds and pictures.
            """),
    ]

    private static let strategyRegionFields =
        regionFields + [
            FieldDescription("text", .text(0...128), .defaulted(""), "Text that is shown there while nothing plays.")
        ]

    static func checkStrategies(_ document: SettingsReader, into problems: inout [Problem]) {
        func refuse(_ path: String, _ value: JSONValue?, _ expectation: String) {
            problems.append(Problem(path: path, value: value, expectation: expectation))
        }
        var names: Set<String> = []
        var taken = Layout.reservedRegions
        for layout in document.groups("layouts") { taken.formUnion(layout.groups("regions").map { $0.text("name") }) }
        let limit = document.group("playback").integer("sessionLimit")
        for (index, strategy) in document.groups("strategies").enumerated() {
            let (name, path) = (strategy.text("name"), "/strategies/\(index)")
            if !names.insert(name).inserted { refuse("\(path)/name", .string(name), "a name that no other has") }
            for problem in SceneArea(strategy.group("below")).problems {
                refuse("\(path)/below/\(problem.field)", .integer(Int64(problem.value)), problem.expectation)
            }
            let regions = strategy.groups("regions")
            if regions.count(where: { $0.optionalText("channel") != nil }) > limit {
                refuse("\(path)/regions", nil, "at most \(limit) with a channel, because of playback.sessionLimit")
            }
            checkRegions(regions, at: "\(path)/regions", refuse)
            let own = regions.map { $0.text("name") }
            for (index, name) in own.enumerated() where taken.contains(name) {
                refuse(
                    "\(path)/regions/\(index)/name", .string(name),
                    "a name that no layout and no other strategy gives to a region")
            }
            taken.formUnion(own)
            if let heard = strategy.optionalText("audioRegion"), !own.contains(heard) {
                let expected = own.isEmpty ? "\"\", because it has no region" : "one of \(own.joined(separator: ", "))"
                refuse("\(path)/audioRegion", .string(heard), expected)
            }
        }
        for (index, name) in document.group("output").texts("strategies").enumerated() where !names.contains(name) {
            let known = names.isEmpty ? "none is there" : names.sorted().joined(separator: ", ")
            refuse("/output/strategies/\(index)", .string(name), "the name of one of strategies (\(known))")
        }
    }
}

extension Settings.Layout {
    /// The region names of built-in layouts and of the gallery.
    fileprivate static let reservedRegions: Set<String> = Set(
        builtIn.flatMap { $0.stage.regions.map(\.name) } + (1...regionLimit).map { "tile\($0)" })
}

extension Settings.Strategy {
    init(_ group: SettingsReader) {
        let regions = group.groups("regions")
        layout = LayoutStrategy(
            name: group.text("name"), layer: group.choice("layer"), below: SceneArea(group.group("below")),
            regions: regions.map { Region($0) }, consumers: group.texts("consumers"))
        func texts(_ field: String) -> [String: String] {
            Dictionary(
                regions.compactMap { region in region.optionalText(field).map { (region.text("name"), $0) } },
                uniquingKeysWith: { first, _ in first })
        }
        channels = texts("channel")
        self.texts = texts("text")
        audioRegion = group.optionalText("audioRegion")
    }
}
