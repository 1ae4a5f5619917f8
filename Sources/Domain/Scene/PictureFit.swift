// SPDX-License-Identifier: Apache-2.0

/// How a picture of one shape is brought into an area of another.
public enum PictureFit: String, Hashable, Sendable, CaseIterable {
    /// All of the picture, black beside it.
    case fit
    /// All of the area, the picture cut off.
    case fill
    /// All of both, the picture out of shape.
    case stretch
}
