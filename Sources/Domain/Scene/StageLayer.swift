// SPDX-License-Identifier: Apache-2.0

/// The layers of the stage from bottom to top, which no layout can reorder (PLAY-33, 39).
public enum StageLayer: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The regions of layouts, and the ticker.
    case video
    case controls
    case advertisement
    case emergency

    public static func < (left: StageLayer, right: StageLayer) -> Bool { left.height < right.height }

    private var height: Int {
        switch self {
        case .video: 0
        case .controls: 1
        case .advertisement: 2
        case .emergency: 3
        }
    }
}
