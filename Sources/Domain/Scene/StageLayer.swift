// SPDX-License-Identifier: Apache-2.0

/// What lies above what on the stage, whatever a layout says (PLAY-33, 39).
public enum StageLayer: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Regions of layouts, and the ticker.
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
