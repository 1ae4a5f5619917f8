// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing
import Time

@testable import Radios

/// States, news and bounds (SVM-127, SVM-17).
struct RadioLedgerTests {
    private var script = RadioScript()

    private static func country(_ alpha2: String, wiphy: UInt32? = nil) -> [RegulatoryDomain] {
        RegulatoryDomain(alpha2: alpha2, wiphy: wiphy).map { [$0] } ?? []
    }

    @Test mutating func theNetworkIsThatOfTheAccessPoint() {
        var network = BasicServiceSet(interface: 3, address: RadioScript.first, isAssociated: true)
        network.ssid = Array("Stadium Ü".utf8)
        network.frequency = 5_180
        script.networks = [network]
        var survey = ChannelSurvey(interface: 3, frequency: 5_180)
        survey.noise = -92
        script.surveys = [ChannelSurvey(interface: 3, frequency: 2_412), survey]
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 50), ms: 0)
        #expect(script.state?.ssid == "Stadium Ü")
        #expect(script.state?.channel?.number == 36)
        #expect(script.state?.band == .gigahertz5)
        #expect(script.state?.noise == -92)
        #expect(script.state?.signal == nil)
        #expect(script.state?.linkScore == nil)
        #expect(script.state?.totals[.receivedOctets] == nil)
    }

    @Test mutating func theChannelInUseIsThatOfItsSurvey() {
        script.interface.channel = RadioChannel(controlFrequency: 2_412)
        var (used, other) = (
            ChannelSurvey(interface: 3, frequency: 2_437, isInUse: true), ChannelSurvey(interface: 3, frequency: 2_412)
        )
        (used.noise, other.noise) = (-90, -80)
        script.surveys = [other, used]
        _ = script.observe(ms: 0)
        #expect(script.state?.noise == -90)
    }

    @Test mutating func theChannelsLoadIsThatOfTenSeconds() {
        script.interface.channel = RadioChannel(controlFrequency: 2_412)
        func survey(_ active: Int, _ busy: Int) -> [ChannelSurvey] {
            var survey = ChannelSurvey(interface: 3, frequency: 2_412)
            (survey.active, survey.busy) = (.milliseconds(active), .milliseconds(busy))
            return [survey]
        }
        for second in 0...30 {
            script.surveys = survey(second * 1_000, second < 20 ? 0 : (second - 20) * 250)
            _ = script.observe(ms: Int64(second) * 1_000)
            #expect(script.state?.busyPPM == (second == 0 ? nil : second < 20 ? 0 : (second - 20) * 25_000))
        }
        _ = script.observe(ms: 31_000)
        #expect(script.state?.busyPPM != nil)
        script.surveys = survey(100, 10)
        _ = script.observe(ms: 32_000)
        #expect(script.state?.busyPPM == nil)  // it stepped back
        _ = script.observe(ms: 33_000)
        #expect(script.state?.busyPPM == nil)  // the radio did not listen
        script.surveys = survey(200, 60)
        _ = script.observe(ms: 34_000)
        #expect(script.state?.busyPPM == 500_000)
    }

    @Test mutating func aRadiosOwnRulesGoFirst() {
        script.domains = Self.country("DE")
        _ = script.observe(ms: 0)
        #expect(script.state?.regulatoryDomain?.alpha2 == "DE")
        #expect(
            script.tell(.regulatoryChanged(Self.country("FR").first), ms: 100) == [.regulatoryChanged(alpha2: "FR")])
        script.domains = Self.country("FR") + Self.country("US", wiphy: 0)
        #expect(script.observe(ms: 5_000) == [.regulatoryChanged(alpha2: "US")])
        #expect(script.state?.regulatoryDomain?.alpha2 == "US")
        #expect(script.observe(ms: 6_000) == [])
    }

    @Test mutating func anAccessPointHasStations() {
        script.interface.mode = .accessPoint
        script.interface.ssid = Array("Box".utf8)
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 60, octets: 1_000), ms: 0)
        #expect(script.totals.connects == 0)
        #expect(script.tell(.stationAppeared, RadioScript.second, ms: 500) == [.stationJoined(RadioScript.second)])
        #expect(
            script.observe(
                RadioScript.station(RadioScript.first, connected: 61, octets: 1_100),
                RadioScript.station(RadioScript.second, connected: 0, octets: 10), ms: 1_000) == [])
        #expect(script.state?.ssid == "Box")
        #expect(script.state?.linkScore == nil)
        #expect(script.state?.stations.map(\.address) == [RadioScript.first, RadioScript.second])
        #expect(script.totals[.receivedOctets] == 110)
        #expect(script.tell(.stationGone, RadioScript.first, ms: 1_500) == [.stationLeft(RadioScript.first)])
        #expect(
            script.observe(RadioScript.station(RadioScript.second, connected: 1, octets: 10), ms: 2_000) == [])
        #expect(script.observe(ms: 9_000) == [.stationLeft(RadioScript.second)])
        #expect(script.totals.connects == 1)
        #expect(script.totals.disconnects == 2)
    }

    @Test mutating func newsAreFiveOfAKindInASecond() {
        _ = script.observe(ms: 0)
        var told = 0
        for index in 0..<30_000 as Range<Int64> {  // ten thousand a second
            let time = RadioScript.at(1_000) + .microseconds(index * 100)
            let kind: RadioEvent.Kind = index % 2 == 0 ? .scanEnded : .disconnected(reason: nil, by: .station)
            told += script.ledger.told(RadioEvent(kind, interface: 3), at: time).count
        }
        #expect(told == 15)
        #expect(script.ledger.withheldNews == 14_985)
        #expect(script.tell(.beaconsLost, ms: 3_999) == [.beaconsLost])
    }

    @Test mutating func aStormOfConnectionsIsCountedAndBounded() {
        _ = script.observe(ms: 0)
        var told = 0
        for index in 0..<10_000 as Range<Int64> {
            let address = HardwareAddress(bits: UInt64(index))
            told +=
                script.ledger.told(
                    RadioEvent(.connected, interface: 3, address: address),
                    at: RadioScript.at(1_000) + .microseconds(index * 100)
                ).count
        }
        #expect(told == 6)
        #expect(script.totals.connects == 1)
        #expect(script.totals.roams == 9_999)
    }

    @Test mutating func whatIsKeptIsBounded() {
        script.interface.mode = .accessPoint
        script.networks = (0..<2_000 as Range<UInt64>).map {
            var network = BasicServiceSet(interface: 3, address: HardwareAddress(bits: $0), isAssociated: $0 == 0)
            network.signal = Int($0) / 20 - 120
            return network
        }
        _ = script.observe(ms: 0)
        #expect(script.state?.networks.count == 1_024)
        #expect(script.state?.networks.first?.isAssociated == true)
        #expect(script.ledger.passedOver == 976)
        for address in 0..<3_000 as Range<UInt64> {
            script.tell(.stationAppeared, HardwareAddress(bits: address), ms: 1)
        }
        #expect(script.totals.connects == 2_048)
        let many = RadioObservation(
            interfaces: (1...100 as ClosedRange<UInt32>).map {
                RadioObservation.Interface(RadioInterface(index: $0, name: "w\($0)", wiphy: $0, mode: .station))
            })
        _ = script.ledger.observed(many, at: RadioScript.at(2_000))
        #expect(script.ledger.interfaces.map(\.name) == (1...64).map { "w\($0)" })
    }

    @Test mutating func allAccessPointsTogetherHaveSoManyStations() {
        func point(_ index: UInt32, stations: UInt64) -> RadioObservation.Interface {
            RadioObservation.Interface(
                RadioInterface(index: index, name: "ap\(index)", wiphy: index, mode: .accessPoint),
                stations: (0..<stations).map { StationFigures(interface: index, address: HardwareAddress(bits: $0)) })
        }
        for many in [[0, 1_500], [1_500, 1_500]] as [[UInt64]] {
            let both = RadioObservation(interfaces: [point(1, stations: many[0]), point(2, stations: many[1])])
            _ = script.ledger.observed(both, at: RadioScript.at(Int64(many[0])))
        }
        #expect(script.ledger.interfaces.map(\.stations.count) == [548, 1_500])
        #expect(script.ledger.passedOver == 952)
    }

    @Test(arguments: [
        ("a b", "a b"), ("Tribüne", "Tribüne"), ("\u{1b}[2J x", "\\x1b[2J x"), ("", nil), ("\0\0", nil),
    ]) func namesAreText(name: String, text: String?) {
        #expect(NetworkName.text(Array(name.utf8)) == text)
    }

    @Test func whatIsNoTextIsAsIwPrintsIt() {
        #expect(NetworkName.text([0x20, 0x61, 0x20, 0xff, 0x5c, 0x20]) == "\\x20a \\xff\\x5c\\x20")
        #expect(NetworkName.text(nil) == nil)
    }
}
