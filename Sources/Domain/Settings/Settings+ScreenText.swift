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
            "enabled", .boolean, .defaulted(true), "Without it only messages and tickers are written, by command."),
        FieldDescription(
            "strategy", .choice(ScreenText.Strategy.allCases.map(\.rawValue)), .defaulted("standard"),
            "standard: banner, transport and volume when there is a reason; debug: transport and statistics always."),
        FieldDescription(
            "direction", .choice(ScreenText.Direction.allCases.map(\.rawValue)), .defaulted("auto"),
            "Of lines and panels; auto: as the text's own first letter."),
        FieldDescription(
            "safeAreaPercent", .integer(0...10), .defaulted(5),
            "Of width and height, kept free at each edge, which a TV may cut off."),
        FieldDescription(
            "bannerMs", .integer(0...600_000), .defaulted(5_000), "How long the banner is shown after tuning."),
        FieldDescription(
            "timeZone", .formatted(.timeZone), .defaulted(""),
            "Of all local times of the box, like Europe/Berlin; \"\": the machine's own."),
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
