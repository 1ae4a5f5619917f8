// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing
import Time
import Venue

@testable import Settings

@Suite struct SettingsMonitorTests {
    @Test func theDefaultsAreTheStandards() throws {
        #expect(Settings.default.monitor == MonitorLimits())
        #expect(Settings.default.monitor.pat == .milliseconds(500))
        #expect(Settings.default.monitor.alarms[.lostToNetwork] == 1)
        #expect(Settings.default.monitor.alarms[.pcrInterval] == 0)
    }

    @Test func eachLimitCanBeSet() throws {
        let settings = try Settings(
            document: [
                "reception": [
                    "monitor": [
                        "patMs": 600, "pmtMs": 700, "pidMs": 1_000, "pcrRepetitionMs": 40, "pcrIntervalMs": 30,
                        "pcrDiscontinuityMs": 200, "pcrAccuracyNs": 5_000, "ptsMs": 900, "shortWindowSeconds": 5,
                        "longWindowSeconds": 600, "alarms": ["crc": 3, "lostToKernel": 0],
                    ]
                ]
            ])
        var expected = MonitorLimits()
        (expected.pat, expected.pmt, expected.pid) = (.milliseconds(600), .milliseconds(700), .seconds(1))
        (expected.pcrRepetition, expected.pcrInterval) = (.milliseconds(40), .milliseconds(30))
        (expected.pcrDiscontinuity, expected.pcrAccuracy) = (.milliseconds(200), .microseconds(5))
        (expected.pts, expected.shortWindow, expected.longWindow) = (.milliseconds(900), 5, 600)
        (expected.alarms[.crc], expected.alarms[.lostToKernel]) = (3, 0)
        #expect(settings.monitor == expected)
    }

    @Test(
        arguments: [
            ["shortWindowSeconds": 0], ["longWindowSeconds": 601], ["patMs": 0], ["alarms": ["crc": -1]],
            ["alarms": ["unknown": 1]],
        ] as [JSONValue])
    func refusesWhatIsOutOfRange(monitor: JSONValue) {
        #expect(throws: SettingsError.self) { try Settings(document: ["reception": ["monitor": monitor]]) }
    }
}
