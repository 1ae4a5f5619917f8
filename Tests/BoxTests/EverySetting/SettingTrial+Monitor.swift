// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

extension SettingTrial {
    /// Of a stream whose parts come every 40 ms, some of them never, and of which every tenth part is damaged.
    static var ofMonitor: [SettingTrial] { ofLimits + ofWindows + ofAlarms }

    /// Nothing is too late for these limits.
    private static var patient: JSONValue {
        [
            "patMs": 60_000, "pmtMs": 60_000, "pidMs": 600_000, "pcrRepetitionMs": 10_000, "pcrIntervalMs": 10_000,
            "pcrDiscontinuityMs": 10_000, "ptsMs": 60_000,
        ]
    }

    /// With limits of 10 ms the stream has faults in each of its 40 ms.
    private static var ofLimits: [SettingTrial] {
        let limits = [
            ("patMs", "pat"), ("pmtMs", "pmt"), ("pcrRepetitionMs", "pcrRepetition"), ("pcrIntervalMs", "pcrInterval"),
            ("pcrDiscontinuityMs", "pcrDiscontinuity"), ("ptsMs", "pts"),
        ]
        var trials = limits.map { name, indicator in
            SettingTrial("reception.monitor.\(name)", 10, by: "stats: faults of \(indicator)") { box in
                try total(indicator, box, "/stats") > 4
            }.given(["reception": ["monitor": patient]]).arranging(beside("Exact")).tidying(alone)
        }
        let others: [(name: String, value: JSONValue, indicator: String)] = [
            ("pidMs", 100, "pid"), ("pcrAccuracyNs", 40, "pcrAccuracy"),
        ]
        for (name, value, indicator) in others {
            trials.append(
                SettingTrial("reception.monitor.\(name)", value, by: "stats: faults of \(indicator)") { box in
                    try total(indicator, box, "/stats/regions/second") > 0
                }.arranging(beside("Exact")).tidying(alone))
        }
        return trials
    }

    private static func total(_ indicator: String, _ box: RunningBox, _ place: String) throws -> Int64 {
        try box.answer("stats").at("\(place)/quality/indicators/\(indicator)/total")?.integer ?? 0
    }

    private static var ofWindows: [SettingTrial] {
        [("shortWindowSeconds", 5), ("longWindowSeconds", 30)].map { name, seconds in
            SettingTrial("reception.monitor.\(name)", .integer(Int64(seconds)), by: "stats: the window") { box in
                try box.answer("stats").at("/stats/quality/\(name)") == .integer(Int64(seconds))
            }
        }
    }

    // MARK: Alarms

    /// They are all off before: the streams have every fault, and none raises an alarm.
    private static var ofAlarms: [SettingTrial] {
        var alarms: JSONValue = [:]
        for indicator in StreamIndicator.allCases { alarms[indicator.name] = 0 }
        var monitor: JSONValue = ["pidMs": 100, "pcrAccuracyNs": 40, "alarms": alarms]
        for name in ["patMs", "pmtMs", "pcrRepetitionMs", "pcrIntervalMs", "ptsMs"] {
            monitor[name] = 10
        }
        let given: JSONValue = ["reception": ["monitor": monitor]]
        return StreamIndicator.allCases.map { indicator in
            let path = "reception.monitor.alarms.\(indicator.name)"
            // The kernel of a machine that keeps up drops nothing.
            guard indicator != .lostToKernel else {
                return SettingTrial(path, 1, by: "shown; QualityMeterTests")
            }
            return SettingTrial(path, 1, by: "channels.quality: raised") { box in
                let raised = try ["Exact", "Faulty"].flatMap { try events("channels.quality", of: $0, box) }
                return raised.contains { $0["raised"]?.array?.contains(.string(indicator.name)) ?? false }
            }.given(given).arranging(beside("Exact", "Faulty")).tidying(alone)
        }
    }
}
