// SPDX-License-Identifier: Apache-2.0
import Scene

/// How text looks. Styles are prepared once and kept for ever, so use few.
public struct TextStyle: Hashable, Sendable {
    public enum Family: String, Hashable, Sendable, CaseIterable {
        case sans = "DejaVu Sans"
        case serif = "DejaVu Serif"
        /// Monospaced, so that digits keep their place while they count.
        case mono = "DejaVu Sans Mono"
    }

    public var family: Family
    /// Height of a line in pixels.
    public var height: Int
    public var colour: RGBColour
    public var isBold: Bool
    /// Width of the outline around each letter in pixels; 0 for none.
    public var outline: Int
    public var outlineColour: RGBColour

    public init(
        _ family: Family = .sans, height: Int, colour: RGBColour = .white, isBold: Bool = false, outline: Int = 0,
        outlineColour: RGBColour = .black
    ) {
        self.family = family
        self.height = height
        self.colour = colour
        self.isBold = isBold
        self.outline = outline
        self.outlineColour = outlineColour
    }
}
