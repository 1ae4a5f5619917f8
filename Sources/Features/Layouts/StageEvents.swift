// SPDX-License-Identifier: Apache-2.0
import Hosting
import Scene
import Shapes
import Time

/// The event that the stage is arranged anew (SVM-70, 71).
struct LayoutShown: FeatureEvent {
    let layout: String
    let isChanged: Bool
    let transition: StageTransition
    let regions: [RegionRow]
    let viewport: AreaAnswer

    private var transitionMs: Int64 {
        switch transition {
        case .cut: 0
        case .crossFade(let span): span.milliseconds
        }
    }

    static let about = EventAbout(.stage, "layout", "The stage is arranged anew.")
    static let shape = Shape<Self>([
        .value("layout", \.layout, .text, "name of the layout that is on"),
        .value("isChanged", \.isChanged, .boolean, "whether commands have changed it since it was chosen"),
        .value("transitionMs", \.transitionMs, .integer, "of the cross-fade; 0 for a cut"),
        .value("regions", \.regions, .list(of: .row), "of the layout, then of the strategies"),
        .value("viewport", \.viewport, .row, "the part of the layout that is seen"),
    ])
}

/// The event that the stage is shown to people, or is no longer (SVM-76).
struct StageActivity: FeatureEvent {
    let isActive: Bool
    let isStandby: Bool

    static let about = EventAbout(.stage, "active", "An output shows the stage to people, or does so no longer.")
    static let shape = Shape<Self>([
        .value("isActive", \.isActive, .boolean, "whether a screen is on that this service may drive"),
        .value("isStandby", \.isStandby, .boolean, "whether pictures are not decoded until it is: output.standby"),
    ])
}

/// The event that a layout strategy is put on or taken off (PLAY-33).
struct StrategySwitched: FeatureEvent {
    let strategy: String
    let layer: StageLayer
    let isOn: Bool
    let active: [String]

    static let about = EventAbout(.stage, "strategy", "A layout strategy is put on or taken off.")
    static let shape = Shape<Self>([
        .value("strategy", \.strategy, .text, "its name"),
        .value("layer", \.layer, .choice, "what it lies above"),
        .value("isOn", \.isOn, .boolean, "whether it is on now"),
        .value("active", \.active, .list(of: .text), "names of those that are on, bottom first"),
    ])
}
