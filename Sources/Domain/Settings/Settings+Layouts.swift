// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import Shapes

extension Settings {
    /// A layout of the stage, and the channels that play in its regions (SVM-71).
    public struct Layout: Equatable, Sendable {
        /// The region of every layout in which anything plays that names no region.
        public static let main = "main"
        /// The largest number of regions in a configured layout.
        public static let regionLimit = 16
        /// The layout with one region for each channel to show; no document describes it.
        public static let gallery = "gallery"

        /// The name, and the regions with their geometry.
        public var stage: StageLayout
        /// For a region's name: the name, id or number of the channel that is tuned when the layout comes on.
        public var channels: [String: String]

        public init(_ stage: StageLayout, channels: [String: String] = [:]) {
            self.stage = stage
            self.channels = channels
        }

        private init(_ name: String, of stage: StageLayout) {
            self.init(stage)
            self.stage.name = name
        }

        /// The layouts that every box has, beside the gallery.
        public static let builtIn = [
            Layout("full", of: .fullScreen), Layout("pip", of: .pictureInPicture), Layout("quad", of: .quad),
        ]
    }
}

extension Settings {
    static let layoutFields = [
        FieldDescription("name", .text(1...32), .required, "The layout's name, which commands take."),
        FieldDescription(
            "regions", .list(of: .record(regionFields), 1...Layout.regionLimit), .required,
            "Regions from back to front, unless order says otherwise. One of them is main."),
        .group("viewport", "The part of the layout that the stage shows.", areaFields("layout")),
    ]

    static let regionFields: [FieldDescription] = contentFields + areaFields("stage") + pictureFields

    private static let contentFields = [
        FieldDescription(
            "name", .text(1...32), .required,
            "Name of the region. What plays in a region goes on if the next layout has a region of the same name."),
        FieldDescription(
            "channel", .text(1...128), .optional,
            "Name, id or number of the channel that is tuned there when the layout comes on; absent: nothing is tuned."),
    ]

    private static let pictureFields = [
        FieldDescription(
            "fit", .choice(PictureFit.allCases.map(\.rawValue)), .defaulted("fit"),
            "fit shows the whole picture, fill fills the whole region, stretch does both and distorts the picture."),
        .group("crop", "The part of the picture that is shown.", areaFields("picture")),
        FieldDescription("rotation", .integer(0...270), .defaulted(0), "Degrees clockwise: 0, 90, 180 or 270."),
        FieldDescription(
            "order", .integer(-100...100), .defaulted(0), "Stacking order; regions with a higher number lie above."),
        FieldDescription("opacity", .integer(0...100), .defaulted(100), "Percent."),
    ]

    static func areaFields(_ whole: String) -> [FieldDescription] {
        let parts = Int64(SceneArea.parts)
        func field(_ name: String, _ range: ClosedRange<Int64>, _ standard: Int64, _ edge: String) -> FieldDescription {
            FieldDescription(
                name, .integer(range), .defaulted(.integer(standard)), "Ten-thousandths of the \(whole)'s \(edge).")
        }
        return [
            field("x", 0...parts - 1, 0, "width"), field("y", 0...parts - 1, 0, "height"),
            field("width", 1...parts, parts, "width"), field("height", 1...parts, parts, "height"),
        ]
    }

    static func checkLayouts(_ document: SettingsReader, into problems: inout [Problem]) {
        func refuse(_ path: String, _ value: JSONValue?, _ expectation: String) {
            problems.append(Problem(path: path, value: value, expectation: expectation))
        }
        let builtIn = Layout.builtIn.map(\.stage.name)
        var names: Set<String> = []
        for (index, layout) in document.groups("layouts").enumerated() {
            let (name, path) = (layout.text("name"), "/layouts/\(index)")
            if builtIn.contains(name) || name == Layout.gallery {
                refuse("\(path)/name", .string(name), "a name that no built-in layout has")
            } else if !names.insert(name).inserted {
                refuse("\(path)/name", .string(name), "a name that no other layout has")
            }
            let limit = document.group("playback").integer("sessionLimit")
            let regions = layout.groups("regions")
            if regions.count(where: { $0.optionalText("channel") != nil }) > limit {
                refuse("\(path)/regions", nil, "at most \(limit) with a channel, because of playback.sessionLimit")
            }
            checkRegions(regions, at: "\(path)/regions", refuse)
            for problem in SceneArea(layout.group("viewport")).problems {
                refuse("\(path)/viewport/\(problem.field)", .integer(Int64(problem.value)), problem.expectation)
            }
            if !regions.contains(where: { $0.text("name") == Layout.main }) {
                refuse("\(path)/regions", nil, "a region named \(Layout.main)")
            }
        }
        let name = document.group("output").text("layout")
        let known = builtIn + names.sorted()
        if !known.contains(name) {
            refuse("/output/layout", .string(name), "one of \(known.joined(separator: ", "))")
        }
    }

    static func checkRegions(
        _ regions: [SettingsReader], at path: String, _ refuse: (String, JSONValue?, String) -> Void
    ) {
        var names: Set<String> = []
        for (index, region) in regions.enumerated() {
            let (name, path) = (region.text("name"), "\(path)/\(index)")
            if !names.insert(name).inserted {
                refuse("\(path)/name", .string(name), "a name that no other region has")
            }
            for (field, area) in [("", region), ("/crop", region.group("crop"))] {
                for problem in SceneArea(area).problems {
                    refuse("\(path)\(field)/\(problem.field)", .integer(Int64(problem.value)), problem.expectation)
                }
            }
            let rotation = region.integer("rotation")
            if QuarterTurn(rawValue: rotation) == nil {
                refuse("\(path)/rotation", .integer(Int64(rotation)), "0, 90, 180 or 270")
            }
        }
    }
}

extension Settings.Layout {
    /// The layout in the form of a document, with every default: `config/layout.schema.json`.
    public var json: JSONValue {
        let regions = stage.regions.map { region in
            region.json.merging(patch: channels[region.name].map { ["channel": .string($0)] } ?? [:])
        }
        return ["name": .string(stage.name), "regions": .array(regions), "viewport": stage.viewport.json]
    }
}

extension Region {
    fileprivate var json: JSONValue {
        let place: JSONValue = [
            "name": .string(name), "fit": .string(fit.rawValue), "crop": crop.json,
            "rotation": .integer(Int64(rotation.rawValue)), "order": .integer(Int64(order)),
            "opacity": .integer(Int64(opacity)),
        ]
        return place.merging(patch: area.json)
    }
}

extension SceneArea {
    public var json: JSONValue {
        [
            "x": .integer(Int64(x)), "y": .integer(Int64(y)), "width": .integer(Int64(width)),
            "height": .integer(Int64(height)),
        ]
    }
}

extension SceneArea {
    /// Why the area does not lie inside its whole: the field, its value and what was expected.
    public var problems: [(field: String, value: Int, expectation: String)] {
        let edges = [("x", x, "width", width), ("y", y, "height", height)]
        return edges.filter { $0.1 + $0.3 > Self.parts }.map { start, from, field, length in
            (field, length, "at most \(Self.parts - from), because \(start) is \(from)")
        }
    }
}

extension Settings.Layout {
    init(_ group: SettingsReader) {
        let regions = group.groups("regions")
        self.init(
            StageLayout(
                name: group.text("name"), regions: regions.map { Region($0) },
                viewport: SceneArea(group.group("viewport"))),
            channels: Dictionary(
                regions.compactMap { region in region.optionalText("channel").map { (region.text("name"), $0) } },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension Region {
    init(_ group: SettingsReader) {
        self.init(
            name: group.text("name"), area: SceneArea(group), fit: group.choice("fit"),
            crop: SceneArea(group.group("crop")),
            rotation: QuarterTurn(rawValue: group.integer("rotation")) ?? .upright,
            order: group.integer("order"), opacity: group.integer("opacity"))
    }
}

extension SceneArea {
    init(_ group: SettingsReader) {
        self.init(
            x: group.integer("x"), y: group.integer("y"), width: group.integer("width"),
            height: group.integer("height"))
    }
}
