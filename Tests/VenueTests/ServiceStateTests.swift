// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

struct ServiceStateTests {
    /// SVM-91, 97: up is none of the reasons; both forms of them, the names in the order of display.
    @Test func reasonsAsBitsAndNames() {
        let up = ServiceState(reasons: [])
        #expect(up.isUp)
        #expect(up.name == "up" && up.reasons.rawValue == 0 && up.reasons.names.isEmpty)
        let down = ServiceState(reasons: [.poorQuality, .wifiDown])
        #expect(!down.isUp)
        #expect(down.name == "down" && down.reasons.rawValue == 10)
        #expect(down.reasons.names == ["WiFiDown", "PoorQuality"])
        let all: ServiceState.Reasons = [.poorQuality, .noChannels, .wifiDown, .notRunning]
        #expect(all.rawValue == 15)
        #expect(all.names == ["NotRunning", "WiFiDown", "NoChannels", "PoorQuality"])
    }

    @Test func oneReasonIsShown() {
        #expect(ServiceState.Reasons([.poorQuality, .noChannels]).first == .noChannels)
        #expect(ServiceState.Reasons([.poorQuality, .notRunning]).first == .notRunning)
        #expect(ServiceState.Reasons([]).first == nil)
    }
}
