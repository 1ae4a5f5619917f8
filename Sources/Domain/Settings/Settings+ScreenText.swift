// SPDX-License-Identifier: Apache-2.0
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
    ]
}

extension Settings.ScreenText {
    init(_ group: SettingsReader) {
        isEnabled = group.boolean("enabled")
        strategy = group.choice("strategy")
        direction = group.choice("direction")
        safeAreaPercent = group.integer("safeAreaPercent")
        bannerSpan = group.milliseconds("bannerMs")
        timeZone = group.optionalText("timeZone")
    }
}
