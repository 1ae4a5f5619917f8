// SPDX-License-Identifier: Apache-2.0

/// Makes one layout of another: all that is there goes to a part of the stage, and regions of the strategy's own layer
/// come over it or beside it (PLAY-33). A value, so it cannot keep or touch the stage that it is given to (PLAY-36, 37).
public struct LayoutStrategy: Hashable, Sendable {
    public let name: String
    public let layer: StageLayer
    /// Of the stage: where everything goes that was there before.
    public let below: SceneArea
    /// Of `layer`, whatever they were.
    public let regions: [Region]

    public init(name: String, layer: StageLayer, below: SceneArea = .whole, regions: [Region] = []) {
        self.name = name
        self.layer = layer
        self.below = below
        self.regions = regions.map { region in
            var region = region
            region.layer = layer
            return region
        }
    }

    /// Full screen and nothing above it: the same as none (PLAY-34).
    public static let identity = LayoutStrategy(name: "identity", layer: .video)

    /// - Returns: what `layout` has, each region in its place of `below`, and the strategy's own behind them in the list.
    public func compose(_ layout: StageLayout) -> StageLayout {
        var composed = layout
        for index in composed.regions.indices {
            composed.regions[index].area = composed.regions[index].area.placed(in: below)
        }
        composed.regions += regions
        return composed
    }
}
