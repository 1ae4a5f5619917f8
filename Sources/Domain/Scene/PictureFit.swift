// SPDX-License-Identifier: Apache-2.0

/// How a picture is scaled into an area of another shape.
public enum PictureFit: String, Hashable, Sendable, CaseIterable {
    /// Shows the whole picture, with black bars beside it.
    case fit
    /// Fills the whole area and crops the picture.
    case fill
    /// Fills the whole area with the whole picture and distorts it.
    case stretch
}
