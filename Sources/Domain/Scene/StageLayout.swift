// SPDX-License-Identifier: Apache-2.0

/// What regions the stage has. A value: who reads one from outside asks `problem` before it goes to the stage, which
/// shows no region twice and none beyond the limit.
public struct StageLayout: Hashable, Sendable {
    public static let regionLimit = 64

    public var name: String
    /// At most 64, of distinct names.
    public var regions: [Region]
    /// The part of the layout that the stage shows, all over it.
    public var viewport: SceneArea

    public init(name: String, regions: [Region], viewport: SceneArea = .whole) {
        self.name = name
        self.regions = regions
        self.viewport = viewport
    }

    /// Back to front.
    public var drawOrder: [Region] {
        regions.enumerated().sorted { left, right in
            (left.element.layer, left.element.order, left.offset)
                < (right.element.layer, right.element.order, right.offset)
        }.map(\.element)
    }

    /// The first reason not to show it.
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
