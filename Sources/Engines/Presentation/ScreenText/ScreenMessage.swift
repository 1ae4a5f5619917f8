// SPDX-License-Identifier: Apache-2.0
import Timelines

/// A message to the viewers.
public struct ScreenMessage: Hashable, Sendable {
    /// The colour behind the text.
    public struct Background: Hashable, Sendable {
        public let red, green, blue: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    public var text: String
    /// Whether the message is shown above everything else until it is withdrawn.
    public var isEmergency: Bool
    /// nil for the usual one.
    public var background: Background?
    /// Whether the text is to be read from the other end of a hall.
    public var isLarge: Bool
    /// The pictures of the main region with which it is shown; nil for a message that is shown at once.
    public var pictures: StampSpan?

    public init(
        _ text: String, isEmergency: Bool = false, background: Background? = nil, isLarge: Bool = false,
        pictures: StampSpan? = nil
    ) {
        self.pictures = pictures
        self.text = text
        self.isEmergency = isEmergency
        self.background = background
        self.isLarge = isLarge
    }
}
