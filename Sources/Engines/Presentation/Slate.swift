// SPDX-License-Identifier: Apache-2.0

/// The text that is shown when there is no picture, so that the screen is never black.
public struct Slate: Equatable, Sendable {
    public var title: String
    /// The id, address and version of the box, and the reason why there is no picture.
    public var lines: [String]

    public init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }
}
