// SPDX-License-Identifier: Apache-2.0

/// The regions of the stage. A layout that came from outside must be checked by `problem` before it goes to the stage,
/// which ignores regions of a name that it has already and regions beyond the limit.
public struct StageLayout: Hashable, Sendable {
    public static let regionLimit = 64

    public var name: String
    /// At most 64, with distinct names.
    public var regions: [Region]
    /// The part of the layout that fills the stage.
    public var viewport: SceneArea

    public init(name: String, regions: [Region], viewport: SceneArea = .whole) {
        self.name = name
        self.regions = regions
        self.viewport = viewport
    }

    /// The regions from back to front.
    public var drawOrder: [Region] {
        regions.enumerated().sorted { left, right in
            (left.element.layer, left.element.order, left.offset)
                < (right.element.layer, right.element.order, right.offset)
        }.map(\.element)
    }

    /// The first reason why the layout cannot be shown; nil if it can.
    public var problem: StageLayoutError? {
        if !viewport.isValid { return .viewportOutside }
        guard regions.count <= Self.regionLimit else { return .tooManyRegions(regions.count) }
        var names: Set<String> = []
        for region in regions {
            if region.name.isEmpty { return .noName }
            if !names.insert(region.name).inserted { return .sameName(region.name) }
            if !region.area.isValid { return .areaOutside(region: region.name) }
            if !region.crop.isValid { return .cropOutside(region: region.name) }
            if !(0...100).contains(region.opacity) { return .opacity(region.opacity, region: region.name) }
        }
        return nil
    }
}
