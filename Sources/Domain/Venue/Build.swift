// SPDX-License-Identifier: Apache-2.0

/// The version of this program (SVM-07).
public enum Build {
    public static let version = "0.1.0"
    /// The id of the image, which `board/image` sets; "dev" in a program that was not built for an image.
    public static let id = "dev"
}
