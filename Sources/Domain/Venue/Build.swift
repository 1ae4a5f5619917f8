// SPDX-License-Identifier: Apache-2.0

/// The version of this program (SVM-07). Which build of it an image has, `ImageBuild` tells.
public enum Build {
    public static let version = "0.1.0"
}
