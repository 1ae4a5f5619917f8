// SPDX-License-Identifier: Apache-2.0
import Scene
import Testing

/// Whether people can read what is written over pictures (WCAG 2.1, 1.4.3).
@Suite struct ScreenThemeTests {
    @Test func coloursAreTexts() {
        #expect(RGBColour("#0052a5") == RGBColour(red: 0, green: 0x52, blue: 0xa5))
        #expect(RGBColour("#FFfF00")?.text == "#ffff00" && RGBColour.black.text == "#000000")
        for text in ["", "#", "#12345", "#1234567", "0052a5", "#00g000", "#+12345", "#１２３４５６", "red"] {
            #expect(RGBColour(text) == nil, "\(text)")
        }
    }

    /// Values of the specification's formula, computed elsewhere.
    @Test(arguments: [
        ("#ffffff", 1), ("#000000", 0), ("#ff0000", 0.2126), ("#00ff00", 0.7152), ("#0000ff", 0.0722),
        ("#808080", 0.215861), ("#0a0a0a", 0.003035), ("#5cadff", 0.393825),
    ]) func luminances(text: String, luminance: Double) throws {
        #expect(abs(try #require(RGBColour(text)).luminance - luminance) < 0.000_01)
    }

    @Test func mixing() {
        #expect(
            RGBColour.white.over(.black, opacity: 255) == .white && RGBColour.white.over(.black, opacity: 0) == .black)
        #expect(RGBColour.white.over(.black, opacity: 128).red == 128)
    }

    /// What is usual is readable over every picture, also what is less important.
    @Test func theUsualThemeIsReadable() {
        let theme = ScreenTheme()
        for colour in [theme.text, theme.accent, theme.muted] {
            #expect(theme.leastContrast(of: colour) >= ScreenTheme.readable, "\(colour.text)")
        }
    }

    /// The least contrast is that of the worst picture among many.
    @Test func theWorstPicture() {
        for (panel, text) in [
            ("#102038", "#8090a0"), ("#ffffff", "#707070"), ("#808080", "#ffffff"), ("#808080", "#858585"),
        ] {
            let theme = ScreenTheme(panel: RGBColour(panel) ?? .black)
            let colour = RGBColour(text) ?? .black
            var worst = 21.0
            for grey in 0...255 {
                let octet = UInt8(grey)
                let below = theme.panel.over(
                    RGBColour(red: octet, green: octet, blue: octet), opacity: ScreenTheme.panelOpacity
                ).luminance
                let pair = [below, colour.luminance].sorted()
                worst = min(worst, (pair[1] + 0.05) / (pair[0] + 0.05))
            }
            let least = theme.leastContrast(of: colour)
            #expect(least <= worst + 0.000_001 && least > worst - 0.2, "\(panel) \(text): \(least), \(worst)")
        }
    }
}
