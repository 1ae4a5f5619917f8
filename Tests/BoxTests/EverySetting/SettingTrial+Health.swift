// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    private static func has(_ reason: String) -> Look {
        { try $0.answer("service")["reasonNames"]?.array?.contains(.string(reason)) ?? false }
    }

    private static func hasNot(_ reason: String) -> Look {
        { try $0.answer("service")["reasonNames"]?.array?.contains(.string(reason)) == false }
    }

    private static func steps(_ steps: Step...) -> Step {
        { box in for step in steps { try step(box) } }
    }

    /// A condition that holds is a reason only after a wait, and one that is over only after another. The first wait is
    /// changed from ten minutes to none while the condition holds; the second when it is over.
    private static func waits(
        of condition: String, named reason: String, in given: JSONValue, playing channel: String?,
        over ends: @escaping Step
    ) -> [SettingTrial] {
        func settings(_ raise: Int64, _ clear: Int64) -> JSONValue {
            let waits: JSONValue = ["raiseMs": .integer(raise), "clearMs": .integer(clear)]
            return given.merging(patch: ["health": .object([condition: waits])])
        }
        let by = "service: \(reason)"
        return [
            SettingTrial("health.\(condition).raiseMs", 0, playing: channel, by: by, isSeen: has(reason))
                .given(settings(600_000, 0)).tidying(until(hasNot(reason))),
            SettingTrial(
                "health.\(condition).clearMs", 0, playing: channel, by: "\(by) is over", isSeen: hasNot(reason)
            )
            .given(settings(0, 600_000)).arranging(steps(until(has(reason)), ends)).tidying(until(hasNot(reason))),
        ]
    }

    static func ofHealth(_ venue: SettingsVenue) -> [SettingTrial] {
        let group = venue.settings.at("/announcements/groups") ?? .null
        // Another socket has the port for itself.
        let taken: JSONValue = [["address": "239.255.77.25", "port": .integer(Int64(venue.takenPort))]]
        // A channel of plain SAP that was heard only once would be listed for minutes more.
        let nothing: JSONValue = [
            "channels": [], "announcements": ["groups": [], "unlicensed": "refuse"], "health": ["firstListenMs": 0],
        ]
        let firstListen = nothing.merging(
            patch: ["health": ["firstListenMs": 600_000, "noChannels": ["raiseMs": 0]]])
        var trials = waits(
            of: "notRunning", named: "NotRunning", in: ["announcements": ["groups": taken]], playing: "One",
            over: merge(["announcements": ["groups": group]]))
        trials += waits(
            of: "noChannels", named: "NoChannels", in: nothing, playing: nil,
            over: merge(["channels": venue.settings["channels"] ?? .null]))
        trials.append(
            SettingTrial(
                "health.firstListenMs", 0, playing: nil, by: "service: NoChannels", isSeen: has("NoChannels")
            ).given(firstListen).tidying(until(hasNot("NoChannels"))))
        return trials + ofQuality(venue) + ofUplink
    }

    /// An interface that is not there is an uplink that is down. Only a box that starts with it has it.
    private static var ofUplink: [SettingTrial] {
        let trials = waits(
            of: "wifiDown", named: "WiFiDown", in: [:], playing: nil, over: merge(["network": ["interface": "lo"]]))
        return trials.map { $0.tidying { _ in }.last() }
    }

    // MARK: Quality

    private static func ofQuality(_ venue: SettingsVenue) -> [SettingTrial] {
        func settings(_ window: Int64, _ raise: Int64, _ wait: Int64, _ clear: Int64) -> JSONValue {
            [
                "health": [
                    "poorQuality": [
                        "windowMs": .integer(window), "raisePPM": .integer(raise), "clearPPM": 0,
                        "raiseMs": .integer(wait), "clearMs": .integer(clear),
                    ]
                ]
            ]
        }
        func patch(_ limits: JSONValue) -> Step { merge(["health": ["poorQuality": limits]]) }
        let (isPoor, isGood) = (has("PoorQuality"), hasNot("PoorQuality"))
        let by = "service: PoorQuality"
        func trial(_ name: String, _ value: JSONValue, _ isSeen: @escaping Look) -> SettingTrial {
            SettingTrial("health.poorQuality.\(name)", value, playing: "Lossy", by: by, isSeen: isSeen)
        }
        let recovers: Step = { box in
            venue.loses = true
            try until(isPoor, box)
            venue.loses = false
        }
        return [
            trial("raisePPM", 1, isPoor).given(settings(10_000, 1_000_000, 0, 0)),
            trial("raiseMs", 0, isPoor).given(settings(10_000, 1, 600_000, 0)),
            // A loss of a minute ago counts no more in a window of a second.
            trial("windowMs", 1_000, isGood).given(settings(60_000, 1, 0, 0)).arranging(recovers).acting(recovers)
                .tidying { _ in venue.loses = true },
            trial("clearPPM", 1_000_000, isGood).given(settings(10_000, 1, 0, 0))
                .arranging(steps(until(isPoor), patch(["raisePPM": 1_000_000]))),
            trial("clearMs", 0, isGood).given(settings(10_000, 1, 0, 600_000))
                .arranging(steps(until(isPoor), patch(["raisePPM": 1_000_000, "clearPPM": 1_000_000]))),
        ]
    }

    // MARK: Venue

    /// `Two` is the only channel of the venue.
    static func ofVenue(_ venue: SettingsVenue) -> [SettingTrial] {
        let isOutside: Look = { try $0.answer("service")["isConnectedToVenue"] == false }
        let isInside: Look = { try $0.answer("service")["isConnectedToVenue"] == true }
        let falls: Step = { box in
            try until(isInside, box)
            try venue.withdrawTwo()
            try until({ try !names($0).contains("Two") }, box)
        }
        let announced: Step = { _ in venue.announceTwo() }
        return [
            SettingTrial("health.venue.leaveMs", 0, by: "service: outside", isSeen: isOutside)
                .given(["health": ["venue": ["leaveMs": 3_600_000]]]).arranging(falls).tidying(announced),
            SettingTrial("health.venue.locksOutside", true, takesChannel: true, by: "status: nothing plays") { box in
                try box.answer("status")["channel"] == .null
            }.given(["health": ["venue": ["leaveMs": 0]]]).arranging(steps(falls, until(isOutside))).tidying(announced),
        ]
    }
}
