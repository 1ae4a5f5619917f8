// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Display

/// The screen of `vkms`, a driver whose display is never refused anything by a cable.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestScreenTests {
    @Test func aConnectorAndItsPlanes() throws {
        var search = CardSearch()
        let snapshot = try search.probe(for: nil)
        let connector = try #require(snapshot.connectors.first { $0.isConnected })
        #expect(connector.name.hasPrefix("Virtual-"))
        #expect(!connector.timings.isEmpty)
        let crtc = try #require(connector.crtcs.first)
        let planes = snapshot.device.planes.filter { $0.crtcs.contains(crtc) }
        #expect(planes.count { $0.kind == .primary } == 1)
        #expect(planes.count { $0.kind == .overlay } >= 1)
        #expect(planes.count { $0.kind == .cursor } == 1)
    }
}
