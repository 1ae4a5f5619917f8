// SPDX-License-Identifier: Apache-2.0

/// The rotation of a picture, in degrees clockwise.
public enum QuarterTurn: Int, Hashable, Sendable, CaseIterable {
    case upright = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// Whether the rotation exchanges width and height.
    public var isSideways: Bool { self == .quarter || self == .threeQuarters }
}
