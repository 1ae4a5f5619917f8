// SPDX-License-Identifier: Apache-2.0

/// What a box composes its stage of: a layout of the video and the layers above it. A value, so it cannot keep or touch
/// the stage that it is given to (PLAY-36, 37); the stage takes it once (PLAY-35).
public struct LayoutStrategy: Hashable, Sendable {
    public var name: String
    public var layout: StageLayout
    /// Back to front, in the order of `StageLayer`. Video and emergency are always among them.
    public let layers: [StageLayer]

    public init(name: String, layout: StageLayout = .fullScreen, layers: Set<StageLayer> = Set(StageLayer.allCases)) {
        self.name = name
        self.layout = layout
        self.layers = layers.union([.video, .emergency]).sorted()
    }

    /// Full screen with every layer: the same as none (PLAY-34).
    public static let identity = LayoutStrategy(name: "identity")
}
