// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

extension Settings {
    /// When the service is reported down, and when up again (SVM-89…99). The condition of a reason must hold for one
    /// time before the reason is raised, and must be gone for another before it is cleared.
    public struct Health: Equatable, Sendable {
        public struct Patience: Equatable, Sendable {
            public var raise: Nanoseconds
            public var clear: Nanoseconds

            public init(raise: Nanoseconds, clear: Nanoseconds) {
                self.raise = raise
                self.clear = clear
            }
        }

        /// Losses after repair, in packets lost of every million that should have arrived.
        public struct Quality: Equatable, Sendable {
            public var window: Nanoseconds
            public var raisePPM: Int64
            /// At most `raisePPM`.
            public var clearPPM: Int64
            public var patience: Patience
        }

        /// During this time after the start an empty line-up is no reason, and a silent venue says nothing.
        public var firstListen: Nanoseconds
        public var notRunning: Patience
        public var wifiDown: Patience
        public var noChannels: Patience
        public var poorQuality: Quality
        /// The time from the end of the venue's last channel until the box is outside.
        public var leaveVenue: Nanoseconds
        /// Whether playback stops outside the venue.
        public var locksOutside: Bool
    }

    static let healthFields = [
        FieldDescription(
            "firstListenMs", .integer(0...600_000), .defaulted(15_000),
            "Time from the start during which an empty line-up or a silent venue is not reported."),
        .group("notRunning", "No announcement group could be joined.", patienceFields(raise: 5_000, clear: 0)),
        .group(
            "wifiDown", "No uplink is up, whether it is WiFi or a wire.", patienceFields(raise: 1_000, clear: 1_000)),
        .group("noChannels", "The line-up is empty.", patienceFields(raise: 2_000, clear: 1_000)),
        .group(
            "poorQuality", "Too much of a channel that plays is lost, after repair.",
            [
                FieldDescription(
                    "windowMs", .integer(1_000...60_000), .defaulted(10_000),
                    "Window over which losses are counted; a window without any packet counts as lost."),
                FieldDescription(
                    "raisePPM", .integer(1...1_000_000), .defaulted(10_000),
                    "Loss in packets per million from which the quality is poor."),
                FieldDescription(
                    "clearPPM", .integer(0...1_000_000), .defaulted(1_000),
                    "Loss in packets per million up to which the quality is good again."),
            ] + patienceFields(raise: 5_000, clear: 20_000)),
        .group(
            "venue", "Whether the box is in its venue, license.venueName.",
            [
                FieldDescription(
                    "leaveMs", .integer(0...3_600_000), .defaulted(15_000),
                    "Time from the end of the last licensed channel until the box counts as outside its venue."),
                FieldDescription(
                    "locksOutside", .boolean, .defaulted(false),
                    "Whether playback stops outside the venue and continues when the box is back."
                ).changing(.interruptsPicture),
            ]),
    ]

    private static func patienceFields(raise: Int64, clear: Int64) -> [FieldDescription] {
        [
            FieldDescription(
                "raiseMs", .integer(0...600_000), .defaulted(.integer(raise)),
                "How long the condition must hold before it is reported."),
            FieldDescription(
                "clearMs", .integer(0...600_000), .defaulted(.integer(clear)),
                "How long the condition must be over before its end is reported."),
        ]
    }

    static func checkHealth(_ health: SettingsReader, into problems: inout [Problem]) {
        let quality = health.group("poorQuality")
        let (raise, clear) = (quality.integer("raisePPM"), quality.integer("clearPPM"))
        if clear > raise {
            problems.append(
                Problem(
                    path: "/health/poorQuality/clearPPM", value: .integer(Int64(clear)),
                    expectation: "at most health.poorQuality.raisePPM (\(raise))"))
        }
    }
}

extension Settings.Health {
    init(_ group: SettingsReader) {
        let quality = group.group("poorQuality")
        firstListen = group.milliseconds("firstListenMs")
        notRunning = Patience(group.group("notRunning"))
        wifiDown = Patience(group.group("wifiDown"))
        noChannels = Patience(group.group("noChannels"))
        poorQuality = Quality(
            window: quality.milliseconds("windowMs"), raisePPM: Int64(quality.integer("raisePPM")),
            clearPPM: Int64(quality.integer("clearPPM")), patience: Patience(quality))
        leaveVenue = group.group("venue").milliseconds("leaveMs")
        locksOutside = group.group("venue").boolean("locksOutside")
    }
}

extension Settings.Health.Patience {
    init(_ group: SettingsReader) {
        self.init(raise: group.milliseconds("raiseMs"), clear: group.milliseconds("clearMs"))
    }
}
