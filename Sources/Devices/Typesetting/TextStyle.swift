// SPDX-License-Identifier: Apache-2.0

/// How text looks. Styles are prepared once and kept for ever, so use few.
public struct TextStyle: Hashable, Sendable {
    public enum Family: String, Hashable, Sendable, CaseIterable {
        case sans = "DejaVu Sans"
        /// Monospaced, so that digits keep their place while they count.
        case mono = "DejaVu Sans Mono"
    }

    public struct Colour: Hashable, Sendable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        public static let white = Colour(red: 255, green: 255, blue: 255)
        public static let black = Colour(red: 0, green: 0, blue: 0)
        public static let grey = Colour(red: 160, green: 160, blue: 160)
        public static let amber = Colour(red: 255, green: 191, blue: 0)
    }

    public var family: Family
    /// Height of a line in pixels.
    public var height: Int
    public var colour: Colour
    public var isBold: Bool
    /// Width of the outline around each letter in pixels; 0 for none.
    public var outline: Int
    public var outlineColour: Colour

    public init(
        _ family: Family = .sans, height: Int, colour: Colour = .white, isBold: Bool = false, outline: Int = 0,
        outlineColour: Colour = .black
    ) {
        self.family = family
        self.height = height
        self.colour = colour
        self.isBold = isBold
        self.outline = outline
        self.outlineColour = outlineColour
    }
}
