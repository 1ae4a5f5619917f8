// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import Layouts

/// SVM-96: what a slate says.
struct SlateReasonTests {
    private var slate = SlateReason(
        state: ServiceState(reasons: []), uplinks: [Uplink(name: "wlan0", kind: .wifi, isUp: false)],
        groups: ["239.1.2.3:9875"], channelCount: 3, isMain: true)

    @Test mutating func whileTheServiceIsUp() {
        #expect(slate.lines == ["3 channels heard, none tuned"])
        slate.awaited = "One"
        #expect(slate.lines == ["One is not heard"])
        slate.session = ("One", false)
        #expect(slate.lines == ["One is tuned, no picture yet"])
        slate.session = ("One", true)
        #expect(slate.lines == ["One has sound alone"])
    }

    /// The first of several reasons, and gone with it.
    @Test mutating func namesTheReason() {
        slate.session = ("One", false)
        slate.state.reasons = [.wifiDown, .poorQuality]
        #expect(slate.lines == ["Service down: WiFi is down (wlan0)", "One is tuned, no picture comes"])
        slate.state.reasons = .poorQuality
        #expect(slate.lines.first == "Service down: too much is lost on the way")
        slate.state.reasons = .notRunning
        #expect(slate.lines.first == "Service down: nothing listens")
        slate.state.reasons = []
        #expect(slate.lines == ["One is tuned, no picture yet"])
    }

    /// What is known of the channel says more than how much is lost on average.
    @Test mutating func aChannelWithoutAPicture() {
        slate.session = ("One", false)
        slate.absence = .nothingArrives
        #expect(slate.lines == ["One shows no picture: nothing arrives from the network"])
        slate.state.reasons = .poorQuality
        #expect(slate.lines.first == "Service down: nothing arrives from the network")
    }

    @Test mutating func aWire() {
        slate.uplinks = [Uplink(name: "eth0", kind: .wired, isUp: false)]
        slate.state.reasons = .wifiDown
        #expect(slate.lines == ["Service down: the network is down (eth0)"])
    }

    @Test mutating func noChannels() {
        slate.channelCount = 0
        #expect(slate.lines == ["No channels heard on 239.1.2.3:9875"])
        slate.state.reasons = .noChannels
        #expect(slate.lines == ["Service down: no channels heard on 239.1.2.3:9875"])
    }

    @Test mutating func outsideTheVenue() {
        slate.lockedOutside = "Arena"
        #expect(slate.lines == ["Locked until the venue Arena is heard"])
    }
}
