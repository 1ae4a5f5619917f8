// SPDX-License-Identifier: Apache-2.0

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

    public init(_ text: String, isEmergency: Bool = false, background: Background? = nil, isLarge: Bool = false) {
        self.text = text
        self.isEmergency = isEmergency
        self.background = background
        self.isLarge = isLarge
    }
}
