// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio
import Testing

@testable import Radios

@Suite struct LinkReportTests {
    private func wire(_ index: UInt32, octets: UInt64, errors: UInt64 = 0) -> LinkFigures {
        var wire = LinkFigures(index: index, name: "eth0")
        (wire.isUp, wire.hasCarrier, wire.isHardware, wire.speed) = (true, true, true, 100)
        (wire.counters.octetsReceived, wire.counters.receiveErrors) = (octets, errors)
        return wire
    }

    @Test func whatWasCountedSinceTheReportBefore() {
        let first = LinkReport([wire(2, octets: 1_000)])
        #expect(first.json.array?.first?["totals"]?["receivedOctets"] == 1_000)
        #expect(first.json.array?.first?["deltas"]?["receivedOctets"] == 1_000)
        let second = LinkReport([wire(2, octets: 1_700, errors: 3)], before: first)
        #expect(second.json.array?.first?["deltas"]?["receivedOctets"] == 700)
        #expect(second.json.array?.first?["deltas"]?["receiveErrors"] == 3)
        #expect(second.json.array?.first?["speedMbps"] == 100 && second.json.array?.first?["duplex"] == .null)
        // The interface was removed and made anew.
        let third = LinkReport([wire(7, octets: 50)], before: second)
        #expect(third.json.array?.first?["deltas"]?["receivedOctets"] == 50)
    }

    @Test func whatIsNoWire() {
        var bridge = LinkFigures(index: 3, name: "br0")
        bridge.hasCarrier = true
        var radio = LinkFigures(index: 4, name: "wlan0")
        radio.isHardware = true
        #expect(LinkReport([bridge, radio, wire(2, octets: 1)], radios: ["wlan0"]).json.array?.count == 1)
    }
}
