// SPDX-License-Identifier: Apache-2.0

/// How the texts over the pictures and the slates look: a venue's colours, its letters, its corner.
public struct ScreenTheme: Hashable, Sendable {
    public enum Font: String, Hashable, Sendable, CaseIterable { case sans, serif }

    /// Where the banner is.
    public enum Corner: String, Hashable, Sendable, CaseIterable {
        case bottomLeft, bottomRight, topLeft, topRight

        public var isTop: Bool { self == .topLeft || self == .topRight }
        public var isRight: Bool { self == .bottomRight || self == .topRight }
    }

    /// Behind texts, and the colour of slates.
    public var panel: RGBColour
    public var text: RGBColour
    /// Numbers of channels, bars, and what is live.
    public var accent: RGBColour
    public var font: Font
    public var corner: Corner
    /// Path of a PNG file on the box; nil for none.
    public var logo: String?

    public init(
        panel: RGBColour = RGBColour(red: 16, green: 32, blue: 56), text: RGBColour = .white,
        accent: RGBColour = RGBColour(red: 92, green: 173, blue: 255), font: Font = .sans,
        corner: Corner = .bottomLeft, logo: String? = nil
    ) {
        self.panel = panel
        self.text = text
        self.accent = accent
        self.font = font
        self.corner = corner
        self.logo = logo
    }

    /// How opaque panels are, of 255. What shines through changes the contrast of what is written on them.
    public static let panelOpacity: UInt8 = 236

    /// What matters less than `text`.
    public var muted: RGBColour { text.over(panel, opacity: 178) }
    /// The part of a bar that is not filled.
    public var groove: RGBColour { text.over(panel, opacity: 72) }

    /// The contrast of a colour with a panel that lies over any picture: the least one, 1 to 21 (WCAG 2.1, "contrast
    /// ratio").
    public func leastContrast(of colour: RGBColour) -> Double {
        let below = [RGBColour.black, .white].map { panel.over($0, opacity: Self.panelOpacity).luminance }
        let (least, most, own) = (below.min() ?? 0, below.max() ?? 1, colour.luminance)
        // Pictures between black and white have every luminance between.
        if own >= most { return (own + 0.05) / (most + 0.05) }
        return own <= least ? (least + 0.05) / (own + 0.05) : 1
    }

    /// WCAG 2.1, level AA: 4.5 for texts of any size.
    public static let readable = 4.5
}
