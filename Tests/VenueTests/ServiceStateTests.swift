// SPDX-License-Identifier: Apache-2.0
import JSON
import Testing
import Venue

struct ServiceStateTests {
    /// SVM-91, 97: up is none of the reasons; both forms of them, the names in the order of display.
    @Test func reasonsAsBitsAndNames() {
        let up = ServiceState(reasons: [])
        #expect(up.isUp)
        #expect(up.json == ["state": "up", "reasons": 0, "reasonNames": []])
        let down = ServiceState(reasons: [.poorQuality, .wifiDown])
        #expect(!down.isUp)
        #expect(down.json == ["state": "down", "reasons": 10, "reasonNames": ["WiFiDown", "PoorQuality"]])
        let all: ServiceState.Reasons = [.poorQuality, .noChannels, .wifiDown, .notRunning]
        #expect(all.rawValue == 15)
        #expect(all.names == ["NotRunning", "WiFiDown", "NoChannels", "PoorQuality"])
    }

    @Test func oneReasonIsShown() {
        #expect(ServiceState.Reasons([.poorQuality, .noChannels]).first == .noChannels)
        #expect(ServiceState.Reasons([.poorQuality, .notRunning]).first == .notRunning)
        #expect(ServiceState.Reasons([]).first == nil)
    }

    @Test func venueConnection() {
        #expect(VenueConnection(isConnectedToVenue: true).json == ["isConnectedToVenue": true])
    }
}
