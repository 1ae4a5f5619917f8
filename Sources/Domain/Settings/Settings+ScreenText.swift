// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import Shapes
import Time

extension Settings {
    public struct ScreenText: Equatable, Sendable {
        public enum Strategy: String, Sendable, CaseIterable { case standard, debug }
        public enum Direction: String, Sendable, CaseIterable { case auto, leftToRight, rightToLeft }

        public var isEnabled: Bool
        public var strategy: Strategy
        public var direction: Direction
        /// The margin that is kept free at each edge, 0...10 percent of width and height.
        public var safeAreaPercent: Int
        /// How long the banner is shown after tuning.
        public var bannerSpan: Nanoseconds
        /// A name of tzdata; nil uses the machine's time zone.
        public var timeZone: String?
        public var theme: ScreenTheme
    }

    static let screenTextFields = [
        FieldDescription(
            "enabled", .boolean, .defaulted(true),
            "Whether the banner and the bars are shown. Messages and tickers always are."),
        FieldDescription(
            "strategy", .choice(ScreenText.Strategy.allCases.map(\.rawValue)), .defaulted("standard"),
            "standard shows banner, transport and volume on changes; debug always shows transport and statistics."
        ),
        FieldDescription(
            "direction", .choice(ScreenText.Direction.allCases.map(\.rawValue)), .defaulted("auto"),
            "Direction of lines and panels; auto follows the first letter of the text."),
        FieldDescription(
            "safeAreaPercent", .integer(0...10), .defaulted(5),
            "Percentage of width and height that stays free at each edge, because a TV may cut it off."),
        FieldDescription(
            "bannerMs", .integer(0...600_000), .defaulted(5_000), "How long the banner is shown after tuning."),
        FieldDescription(
            "timeZone", .formatted(.timeZone), .defaulted(""),
            "Time zone of all local times, such as Europe/Berlin; \"\" uses that of the machine."),
        .group("theme", "The look of texts and slates.", themeFields),
    ]

    private static let standard = ScreenTheme()
    private static let themeFields = [
        FieldDescription(
            "panel", .formatted(.colour), .defaulted(.string(standard.panel.text)),
            "Colour behind texts, and of slates. Pictures shine through it a little."),
        FieldDescription(
            "text", .formatted(.colour), .defaulted(.string(standard.text.text)),
            "Colour of texts, which must be readable on panel over any picture."),
        FieldDescription(
            "accent", .formatted(.colour), .defaulted(.string(standard.accent.text)),
            "Colour of channel numbers, bars and of what is live; as readable as text."),
        FieldDescription(
            "font", .choice(ScreenTheme.Font.allCases.map(\.rawValue)), .defaulted("sans"),
            "Letters with or without serifs."),
        FieldDescription(
            "corner", .choice(ScreenTheme.Corner.allCases.map(\.rawValue)), .defaulted("bottomLeft"),
            "Corner of the banner. Statistics and volume are at the opposite edge."),
        FieldDescription(
            "logo", .formatted(.path), .defaulted(""),
            """
            PNG file of at most 1,024 by 1,024 pixels and 1 MiB on the box, shown on slates; \"\" for none. It is read \
            when the settings change.
            """),
    ]

    /// WCAG 2.1, level AA, over whatever picture (see `ScreenTheme`).
    static func checkTheme(_ group: SettingsReader, into problems: inout [Problem]) {
        let theme = ScreenTheme(group)
        for (name, colour) in [("text", theme.text), ("accent", theme.accent)] {
            let contrast = theme.leastContrast(of: colour)
            guard contrast < ScreenTheme.readable else { continue }
            let tenths = Int(contrast * 10)
            problems.append(
                Problem(
                    path: "/screenText/theme/\(name)", value: .string(group.text(name)),
                    expectation:
                        "a contrast of 4.5 or more with panel \(theme.panel.text) over any picture; it is \(tenths / 10).\(tenths % 10)"
                ))
        }
    }
}

extension ScreenTheme {
    /// - Parameter group: checked, so that its colours are colours.
    init(_ group: SettingsReader) {
        let standard = ScreenTheme()
        self.init(
            panel: RGBColour(group.text("panel")) ?? standard.panel,
            text: RGBColour(group.text("text")) ?? standard.text,
            accent: RGBColour(group.text("accent")) ?? standard.accent, font: group.choice("font"),
            corner: group.choice("corner"), logo: group.optionalText("logo"))
    }
}

extension Settings.ScreenText {
    init(_ group: SettingsReader) {
        isEnabled = group.boolean("enabled")
        strategy = group.choice("strategy")
        direction = group.choice("direction")
        safeAreaPercent = group.integer("safeAreaPercent")
        bannerSpan = group.milliseconds("bannerMs")
        timeZone = group.optionalText("timeZone")
        theme = ScreenTheme(group.group("theme"))
    }
}
