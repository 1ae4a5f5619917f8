// SPDX-License-Identifier: Apache-2.0

/// What lies above what on the stage, whatever a layout says (PLAY-33, 39).
public enum StageLayer: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Regions and the ticker.
    case video
    case controls
    case advertisement
    case emergency

    public static func < (left: StageLayer, right: StageLayer) -> Bool { left.rawValue < right.rawValue }
}
