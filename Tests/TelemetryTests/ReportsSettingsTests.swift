// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing

@testable import Telemetry

@Suite struct ReportsSettingsTests {
    private func settings(_ url: String?, token: String?) -> ReportsSettings {
        var settings = ReportsSettings()
        (settings.url, settings.token) = (url, token)
        return settings
    }

    @Test func tokensGoNowhereInTheOpen() {
        #expect(settings("http://reporter.example/v1/boxes/{box}/reports", token: "t").problems.map(\.path) == ["/url"])
        #expect(settings("http://127.0.0.1:8090/{box}", token: "t").problems.isEmpty)
        #expect(settings("https://reporter.example/{box}", token: "t").problems.isEmpty)
        #expect(settings("http://reporter.example/{box}", token: nil).problems.isEmpty)
        #expect(settings(nil, token: "t").problems.isEmpty)
        var enrolling = settings("http://reporter.example/v1/boxes/{box}/reports", token: nil)
        enrolling.enrol = "t"
        #expect(enrolling.problems.map(\.path) == ["/url"])
    }

    @Test func dimensionsAreTrimmed() {
        var settings = ReportsSettings()
        settings.dimensions = ["  suite 12\u{a0}", "   ", "north  stand"]
        #expect(settings.trimmedDimensions == ["suite 12", "", "north  stand"])
    }

    @Test func boundsOfTheSpoolFollow() {
        var settings = ReportsSettings()
        (settings.spoolMB, settings.spoolHours) = (4, 1)
        #expect(settings.spoolOptions.mostOctets == 4 << 20 && settings.spoolOptions.longestAge == .seconds(3_600))
    }
}
