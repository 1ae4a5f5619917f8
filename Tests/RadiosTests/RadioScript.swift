// SPDX-License-Identifier: Apache-2.0
import Radio
import Radios
import Time

/// A ledger whose observations and events come by a script, with the kinds of news that it tells.
struct RadioScript {
    static let first = HardwareAddress(bits: 0x0200_0000_0001)
    static let second = HardwareAddress(bits: 0x0200_0000_0002)

    var ledger = RadioLedger(names: [first: "Gate A"])
    var interface = RadioInterface(index: 3, name: "wlan0", wiphy: 0, mode: .station)
    var networks: [BasicServiceSet] = []
    var surveys: [ChannelSurvey] = []
    var domains: [RegulatoryDomain] = []

    static func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: 0) + .milliseconds(milliseconds) }

    static func station(
        _ address: HardwareAddress, connected: Int64? = nil, octets: UInt64? = nil, packets: UInt32? = nil
    ) -> StationFigures {
        var figures = StationFigures(interface: 3, address: address)
        figures.connected = connected.map { .seconds($0) }
        figures.octetsReceived = octets
        figures.packetsReceived = packets
        return figures
    }

    @discardableResult
    mutating func observe(_ stations: StationFigures..., ms: Int64) -> [RadioNews.Kind] {
        observe(all: stations, ms: ms)
    }

    mutating func observe(all stations: [StationFigures], ms: Int64) -> [RadioNews.Kind] {
        let observation = RadioObservation(
            interfaces: [
                RadioObservation.Interface(interface, stations: stations, surveys: surveys, networks: networks)
            ], regulatoryDomains: domains)
        return ledger.observed(observation, at: Self.at(ms)).map(\.kind)
    }

    @discardableResult
    mutating func tell(_ kind: RadioEvent.Kind, _ address: HardwareAddress? = nil, ms: Int64) -> [RadioNews.Kind] {
        ledger.told(RadioEvent(kind, interface: 3, address: address), at: Self.at(ms)).map(\.kind)
    }

    var state: RadioState? { ledger.interfaces.first }
    var totals: RadioTotals { state?.totals ?? RadioTotals() }
}

extension RadioNews.AccessPoint {
    static let first = RadioNews.AccessPoint(bssid: RadioScript.first, name: "Gate A")
    static let second = RadioNews.AccessPoint(bssid: RadioScript.second)
}
