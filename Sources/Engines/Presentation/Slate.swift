// SPDX-License-Identifier: Apache-2.0
import Scene

/// The text that is shown when there is no picture, so that the screen is never black.
public struct Slate: Equatable, Sendable {
    public var title: String
    /// Why there is no picture.
    public var lines: [String]
    /// The id, address and version of the box.
    public var footer: [String]
    public var theme: ScreenTheme

    public init(title: String, lines: [String], footer: [String] = [], theme: ScreenTheme = ScreenTheme()) {
        self.title = title
        self.lines = lines
        self.footer = footer
        self.theme = theme
    }
}
