// SPDX-License-Identifier: Apache-2.0

/// A rule that turns one layout into another (PLAY-33): everything in the layout moves into a part of the stage, and
/// the strategy's own regions are added over it or beside it. It is a value, so it cannot keep or change the stage to
/// which it is applied (PLAY-36, 37).
public struct LayoutStrategy: Hashable, Sendable {
    public let name: String
    public let layer: StageLayer
    /// The part of the stage into which the existing regions are moved.
    public let below: SceneArea
    /// The strategy's own regions; `init` sets their layer to `layer`.
    public let regions: [Region]
    /// Names of the session consumers that the strategy adds to what plays in its regions (PLAY-38).
    public let consumers: [String]

    public init(
        name: String, layer: StageLayer, below: SceneArea = .whole, regions: [Region] = [], consumers: [String] = []
    ) {
        self.name = name
        self.layer = layer
        self.below = below
        self.consumers = consumers
        self.regions = regions.map { region in
            var region = region
            region.layer = layer
            return region
        }
    }

    /// Leaves every layout as it is (PLAY-34).
    public static let identity = LayoutStrategy(name: "identity", layer: .video)

    /// - Returns: the regions of `layout`, moved into `below`, followed by the strategy's own.
    public func compose(_ layout: StageLayout) -> StageLayout {
        var composed = layout
        for index in composed.regions.indices {
            composed.regions[index].area = composed.regions[index].area.placed(in: below)
        }
        composed.regions += regions
        return composed
    }
}
