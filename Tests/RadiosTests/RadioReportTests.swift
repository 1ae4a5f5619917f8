// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio
import Testing

@testable import Radios

/// What reports have of radios (SVM-127, SVM-128).
struct RadioReportTests {
    @Test func whatIsNotKnownIsNull() {
        var script = RadioScript()
        script.interface.channel = RadioChannel(controlFrequency: 5_180, width: 80)
        _ = script.observe(ms: 0)
        var figures = RadioScript.station(RadioScript.first, connected: 0, octets: 10)
        figures.signal = -60
        figures.averageSignal = -61
        figures.transmitRate = BitRate(value: 4_333, kind: .vht, mcs: 9, nss: 1, width: 80)
        figures.receiveRate = BitRate(value: 60, kind: .legacy)
        figures.inactive = .milliseconds(40)
        _ = script.observe(figures, ms: 1_000)
        let first = RadioReport(script.ledger.interfaces)
        let json = first.json.at("/0")
        #expect(json?["interface"] == "wlan0")
        #expect(json?["bssid"] == "02:00:00:00:00:01")
        #expect(json?["accessPoint"] == "Gate A")
        #expect(json?["ssid"] == .null)
        #expect(json?["channel"] == 36)
        #expect(json?["band"] == "5GHz")
        #expect(json?["signalAverageDbm"] == -61)
        #expect(json?["noiseDbm"] == .null)
        #expect(json?["linkIndicator"] == 8)
        #expect(json?["inactiveMs"] == 40)
        #expect(json?["transmitRate"] == ["kbps": 433_300, "kind": "vht", "mcs": 9, "streams": 1, "widthMHz": 80])
        #expect(json?["receiveRate"] == ["kbps": 6_000, "kind": "legacy", "widthMHz": 20])
        #expect(json?["stations"] == nil)
        #expect(json?["lastDisconnect"] == nil)
        #expect(json?.at("/totals/receivedOctets") == 10)
        #expect(json?.at("/totals/receivedPackets") == .null)
        #expect(json?.at("/deltas/connects") == 1)

        figures.octetsReceived = 25
        figures.connected = .seconds(1)
        _ = script.observe(figures, ms: 2_000)
        script.tell(.disconnected(reason: ReasonCode(rawValue: 4), by: .accessPoint), ms: 2_500)
        let second = RadioReport(script.ledger.interfaces, before: first).json.at("/0")
        #expect(second?.at("/totals/receivedOctets") == 25)
        #expect(second?.at("/deltas/receivedOctets") == 15)
        #expect(second?.at("/deltas/connects") == 0)
        #expect(second?["signalDbm"] == nil)
        #expect(second?["linkIndicator"] == 0)
        #expect(
            second?["lastDisconnect"]
                == ["reason": 4, "meaning": "inactivity", "by": "accessPoint", "monotonicMs": 2_500])
    }

    @Test func anAccessPointHasNoAccessPoint() {
        var script = RadioScript()
        script.interface.mode = .accessPoint
        _ = script.observe(RadioScript.station(RadioScript.second, connected: 9, octets: 10), ms: 0)
        let json = RadioReport(script.ledger.interfaces).json.at("/0")
        #expect(json?["bssid"] == nil)
        #expect(json?["linkIndicator"] == nil)
        #expect(json?.at("/totals/roams") == nil)
        #expect(json?.at("/totals/beaconLosses") == nil)
        #expect(json?.at("/stations/0/receivedOctets") == 10)
        #expect(json?.at("/stations/0/signalDbm") == .null)
    }

    @Test func theFirstReportHasAllSinceTheStart() {
        var totals = RadioTotals()
        totals.roams = 3
        var state = RadioState(RadioInterface(index: 1, name: "w", wiphy: 0, mode: .station), name: "w")
        state.totals = totals
        let first = RadioReport([state])
        #expect(first.json.at("/0/deltas/roams") == 3)
        let gone = RadioReport([], before: first)
        #expect(gone.json == [])
        #expect(RadioReport([state], before: gone).json.at("/0/deltas/roams") == 0)
    }
}
