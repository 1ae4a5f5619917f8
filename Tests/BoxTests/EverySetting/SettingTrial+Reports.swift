// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    /// What a reporter gets is seen in Tests/Interop, by one of Python's.
    static var ofReports: [SettingTrial] {
        [
            SettingTrial("reports.url", "http://127.0.0.1:9/{box}", by: "reports: where to, and a failure") { box in
                let url = try box.answer("reports")["url"]
                guard url == "http://127.0.0.1:9/{box}" else { return false }
                _ = try box.await("reports", within: .seconds(20)) { $0["failures"]?.integer ?? 0 > 0 }
                return true
            }.given(["reports": ["intervalS": 1]]),
            SettingTrial("reports.intervalS", 3, by: "reports: the interval") { box in
                try box.answer("reports")["intervalS"] == 3
            },
            SettingTrial("reports.dimensions", ["suite 12"], by: "what is sent, in ReportDeliveryTests"),
            SettingTrial("reports.token", "abc", by: "what is sent, in ReportDeliveryTests"),
            SettingTrial("reports.enrol", "abc", by: "what is sent, in EnrolmentTests"),
        ]
    }

    /// What is recorded of packets is seen in Tests/Interop and in RecordingTests.
    static var ofRecorder: [SettingTrial] {
        [
            SettingTrial("recorder.enabled", false, by: "nothing is recorded, in RecorderTests"),
            SettingTrial("recorder.packetS", 20, by: "the size of rings, in RingDirectoryTests"),
            SettingTrial("recorder.keepsPayload", true, by: "what is in a bundle, in ReplayTests"),
            SettingTrial("recorder.pictureS", 1, by: "what is asked of the screen, in RecorderTests"),
            SettingTrial("recorder.incidentsMB", 2, by: "what gives way, in IncidentShelfTests"),
            SettingTrial("recorder.incidentCount", 1, by: "what gives way, in RecorderTests"),
        ]
    }
}
