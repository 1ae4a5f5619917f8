// SPDX-License-Identifier: Apache-2.0

/// The reason why a layout cannot be shown.
public enum StageLayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManyRegions(Int)
    case noName
    case sameName(String)
    /// The area is empty or not inside the stage.
    case areaOutside(region: String)
    /// The crop is empty or not inside the picture.
    case cropOutside(region: String)
    case viewportOutside
    case opacity(Int, region: String)

    public var description: String {
        switch self {
        case .tooManyRegions(let count): "\(count) regions; at most \(StageLayout.regionLimit)"
        case .noName: "a region has no name"
        case .sameName(let name): "two regions are named \(name)"
        case .areaOutside(let region): "region \(region): its area is not inside the stage"
        case .cropOutside(let region): "region \(region): its crop is not inside the picture"
        case .viewportOutside: "the viewport is not inside the layout"
        case .opacity(let percent, let region): "region \(region): an opacity of \(percent) is not 0...100"
        }
    }
}
