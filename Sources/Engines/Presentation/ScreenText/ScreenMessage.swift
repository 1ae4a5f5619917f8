// SPDX-License-Identifier: Apache-2.0
import Scene
import Timelines

/// A message to the viewers.
public struct ScreenMessage: Hashable, Sendable {
    public var text: String
    /// Whether the message is shown above everything else until it is withdrawn.
    public var isEmergency: Bool
    /// The colour behind the text; nil for that of the theme.
    public var background: RGBColour?
    /// Whether the text is to be read from the other end of a hall.
    public var isLarge: Bool
    /// The pictures of the main region with which it is shown; nil for a message that is shown at once.
    public var pictures: StampSpan?

    public init(
        _ text: String, isEmergency: Bool = false, background: RGBColour? = nil, isLarge: Bool = false,
        pictures: StampSpan? = nil
    ) {
        self.pictures = pictures
        self.text = text
        self.isEmergency = isEmergency
        self.background = background
        self.isLarge = isLarge
    }
}
