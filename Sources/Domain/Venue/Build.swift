// SPDX-License-Identifier: Apache-2.0

/// What this program is (SVM-07).
public enum Build {
    public static let version = "0.1.0"
    /// Of the image; `board/image` sets it. "dev" outside one.
    public static let id = "dev"
}
