// SPDX-License-Identifier: Apache-2.0
import JSON
import Mixing
import Playback
import Scene
import Shapes
import Venue

/// The layout on the stage and what plays in its regions.
struct StageAnswer: Answer {
    let layout: String
    let isChanged: Bool
    let regions: [RegionRow]
    let document: JSONValue

    static let shape = Shape<Self>([
        .value("regions", \.regions, .list(of: .row), "of the layout, then of the strategies"),
        .detail("layout", \.layout, .text, "name of the layout that is on"),
        .detail("isChanged", \.isChanged, .boolean, "whether commands have changed it since it was chosen"),
        .detail("document", \.document, .anything, "the layout as settings have it: config/layout.schema.json"),
    ])
}

/// A region on the stage.
struct RegionRow: Answer {
    /// What plays in the region and how it is heard.
    struct Playing: Sendable {
        let name: String?
        let session: Int?
        let state: PlayerState?
        let sound: RegionSound
        /// Whether people can see the region.
        let isVisible: Bool

        init(_ session: PlayingSession?, _ sound: RegionSound, isVisible: Bool) {
            name = session?.name
            self.session = session?.id
            state = session?.state
            self.sound = sound
            self.isVisible = isVisible
        }
    }

    let region: Region
    let layer: StageLayer
    /// Whether the viewport shows any of it. A region that is not seen has no place on the stage.
    let isSeen: Bool
    let channel: String?
    let strategy: String?
    /// nil for events, which do not have these members.
    let playing: Playing?

    private var x: Int? { isSeen ? region.area.x : nil }
    private var y: Int? { isSeen ? region.area.y : nil }
    private var width: Int? { isSeen ? region.area.width : nil }
    private var height: Int? { isSeen ? region.area.height : nil }
    private var crop: AreaAnswer { AreaAnswer(area: region.crop) }

    static let shape = Shape<Self>([
        .value("name", \.region.name, .text, "of the region"),
        .value("x", \.x, .optional(.integer), "left edge, ten-thousandths of the stage; null: out of sight"),
        .value("y", \.y, .optional(.integer), "upper edge"),
        .value("width", \.width, .optional(.integer), "ten-thousandths of the stage"),
        .value("height", \.height, .optional(.integer), "ten-thousandths of the stage"),
        .computed("plays", .optional(.text), "name of what is open there, or null") { $0.playing.map(\.name) },
        .computed("session", .optional(.integer), "its number, or null") { $0.playing.map(\.session) },
        .computed("volume", .integer, "0...100, before all are mixed") { $0.playing?.sound.level },
        .computed("isMuted", .boolean, "whether it is silent") { $0.playing?.sound.isMuted },
        .unlessNil(
            "channel", \.channel, .text, shownAs: detail, "tuned when the layout came on; absent: none"),
        .detail("fit", \.region.fit, .choice, "fit, fill or stretch"),
        .detail("crop", \.crop, .row, "x, y, width, height of the part of the picture that is shown"),
        .detail("rotation", \.region.rotation.rawValue, .integer, "degrees clockwise"),
        .detail("order", \.region.order, .integer, "regions of a higher one lie above"),
        .detail("opacity", \.region.opacity, .integer, "percent"),
        .detail("isSeen", \.isSeen, .boolean, "whether the viewport shows any of it; else it has no place"),
        .computed(
            "isVisible", .boolean, shownAs: detail,
            "whether people can see it: on an active output, not fully covered, not hidden"
        ) { $0.playing?.isVisible },
        .detail(
            "layer", \.layer, .choice, "video, controls, advertisement or emergency: those lie above each other"),
        .unlessNil(
            "strategy", \.strategy, .text, shownAs: detail, "the one that it belongs to; absent: the layout's"),
        .computed(
            "playerState", .optional(.choice), shownAs: detail, "as in status; null when nothing is open"
        ) { (row: Self) -> PlayerState?? in row.playing.map(\.state) },
    ])

    private static let detail = FieldDisplay(isDetail: true)
}

/// A rectangle in ten-thousandths of what it is a part of.
struct AreaAnswer: Answer {
    let area: SceneArea

    static let shape = Shape<Self>([
        .value("x", \.area.x, .integer, "left edge, ten-thousandths of the layout"),
        .value("y", \.area.y, .integer, "upper edge"),
        .value("width", \.area.width, .integer, "ten-thousandths of the layout"),
        .value("height", \.area.height, .integer, "ten-thousandths of the layout"),
    ])
}
