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
}
