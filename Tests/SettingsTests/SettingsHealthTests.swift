// SPDX-License-Identifier: Apache-2.0
import Settings
import Testing
import Time

struct SettingsHealthTests {
    @Test func defaults() {
        let health = Settings.default.health
        #expect(health.firstListen == .seconds(15) && health.leaveVenue == .seconds(15) && !health.locksOutside)
        #expect(health.wifiDown == .init(raise: .seconds(1), clear: .seconds(1)))
        #expect(health.poorQuality.raisePPM == 10_000 && health.poorQuality.clearPPM == 1_000)
    }

    @Test func eachIsSettable() throws {
        let text = #"{"health":{"poorQuality":{"windowMs":2000,"raiseMs":0,"clearPPM":0},"venue":{"leaveMs":1}}}"#
        let health = try Settings(parsing: Array(text.utf8)).health
        #expect(health.poorQuality.window == .seconds(2) && health.poorQuality.patience.raise == .zero)
        #expect(health.poorQuality.clearPPM == 0 && health.leaveVenue == .milliseconds(1))
    }

    @Test func theLimitsAreInOrder() {
        let text = #"{"health":{"poorQuality":{"raisePPM":10,"clearPPM":11}}}"#
        do {
            _ = try Settings(parsing: Array(text.utf8))
            Issue.record("accepted")
        } catch {
            #expect(
                error.description
                    == "/health/poorQuality/clearPPM is 11; expected at most health.poorQuality.raisePPM (10)")
        }
    }
}
