// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing
import Time

@testable import Radios

/// What happens to a client's connection (SVM-127, G-13), each change counted once.
struct ConnectionTests {
    private var script = RadioScript()

    init() { _ = script.observe(ms: 0) }

    private mutating func associate(octets: UInt64 = 100) {
        script.tell(.connected, RadioScript.first, ms: 10_000)
        script.observe(RadioScript.station(RadioScript.first, connected: 1, octets: octets), ms: 11_000)
    }

    @Test mutating func eventAndSampleAreOneConnection() {
        #expect(script.tell(.connected, RadioScript.first, ms: 10_000) == [.connected(to: .first)])
        #expect(script.state?.bssid == RadioScript.first)
        #expect(script.state?.accessPoint == "Gate A")
        #expect(script.observe(RadioScript.station(RadioScript.first, connected: 0, octets: 7), ms: 10_500) == [])
        #expect(script.totals.connects == 1)
        #expect(script.totals[.receivedOctets] == 7)
        #expect(script.totals[.transmittedOctets] == nil)
    }

    @Test mutating func aSampleBeforeItsEventIsOneConnection() {
        let sample = RadioScript.station(RadioScript.first, connected: 0, octets: 7)
        #expect(script.observe(sample, ms: 10_000) == [.connected(to: .first)])
        #expect(script.tell(.connected, RadioScript.first, ms: 10_001) == [])
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 1, octets: 9), ms: 11_000)
        #expect(script.totals.connects == 1)
        #expect(script.totals[.receivedOctets] == 9)
    }

    @Test mutating func anAssociationOlderThanTheServiceCountsFromItsFirstSample() {
        var script = RadioScript()
        #expect(script.observe(RadioScript.station(RadioScript.first, connected: 90, octets: 5_000), ms: 1_000) == [])
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 91, octets: 5_100), ms: 2_000)
        #expect(script.totals.connects == 0)
        #expect(script.totals[.receivedOctets] == 100)
    }

    @Test(arguments: [false, true]) mutating func aRoamIsCountedOnce(isEventFirst: Bool) {
        associate()
        let sample = RadioScript.station(RadioScript.second, connected: 0, octets: 5)
        let roam: [RadioNews.Kind] = [.roamed(from: .first, to: .second)]
        if isEventFirst {
            #expect(script.tell(.roamed, RadioScript.second, ms: 20_000) == roam)
            // A sample that is older than the event.
            let late = RadioScript.station(RadioScript.first, connected: 10, octets: 200)
            #expect(script.observe(late, ms: 20_001) == [])
            #expect(script.observe(sample, ms: 20_500) == [])
        } else {
            #expect(script.observe(sample, ms: 20_000) == roam)
            #expect(script.tell(.roamed, RadioScript.second, ms: 20_001) == [])
        }
        _ = script.observe(RadioScript.station(RadioScript.second, connected: 1, octets: 6), ms: 21_000)
        #expect(script.totals.roams == 1)
        #expect(script.totals.connects == 1)
        #expect(script.totals[.receivedOctets] == 106)
    }

    /// The kernel tells no more of a supplicant that roams by itself.
    @Test mutating func anEndByTheStationAndANewConnectionAreARoam() {
        associate()
        #expect(
            script.tell(.disconnected(reason: nil, by: .station), ms: 20_000)
                == [.disconnected(from: .first, reason: nil, by: .station)])
        #expect(script.tell(.connected, RadioScript.second, ms: 20_100) == [.roamed(from: .first, to: .second)])
        #expect(script.totals.roams == 1)
        #expect(script.totals.connects == 2)
        #expect(script.totals.disconnects == 1)
    }

    @Test(arguments: [(RadioEvent.Side.accessPoint, Int64(100)), (.station, 3_100)])
    mutating func anEndIsNoRoamIfTheAccessPointOrTimeSaysSo(side: RadioEvent.Side, pause: Int64) {
        associate()
        script.tell(.disconnected(reason: ReasonCode(rawValue: 4), by: side), ms: 20_000)
        #expect(script.state?.isAssociated == false)
        #expect(script.state?.linkScore == 0)
        #expect(script.state?.lastDisconnect?.reason?.rawValue == 4)
        #expect(script.state?.lastDisconnect?.by == side)
        #expect(script.tell(.connected, RadioScript.second, ms: 20_000 + pause) == [.connected(to: .second)])
        #expect(script.totals.roams == 0)
    }

    @Test mutating func anotherNetworkIsNoRoam() {
        var (first, second) = (
            BasicServiceSet(interface: 3, address: RadioScript.first),
            BasicServiceSet(interface: 3, address: RadioScript.second)
        )
        (first.ssid, second.ssid) = (Array("a".utf8), Array("b".utf8))
        script.networks = [first, second]
        associate()
        script.tell(.disconnected(reason: nil, by: .station), ms: 20_000)
        #expect(script.tell(.connected, RadioScript.second, ms: 20_100) == [.connected(to: .second)])
    }

    @Test mutating func anEndThatASampleShowsGetsItsReasonByTheEvent() {
        associate()
        #expect(script.observe(ms: 20_000) == [.disconnected(from: .first, reason: nil, by: nil)])
        script.tell(.disconnected(reason: ReasonCode(rawValue: 8), by: .accessPoint), ms: 20_001)
        #expect(script.totals.disconnects == 1)
        #expect(script.state?.lastDisconnect?.reason?.rawValue == 8)
        #expect(script.state?.lastDisconnect?.time == RadioScript.at(20_000))
    }

    @Test mutating func aLateSampleDoesNotUndoAnEnd() {
        associate()
        script.tell(.disconnected(reason: nil, by: .accessPoint), ms: 20_000)
        let late = RadioScript.station(RadioScript.first, connected: 10, octets: 900)
        #expect(script.observe(late, ms: 20_001) == [])
        #expect(script.state?.isAssociated == false)
        #expect(script.totals.connects == 1)
    }

    /// A list of stations that was empty for a second: the counters go on.
    @Test mutating func anAssociationThatIsSeenAgainGoesOnCounting() {
        associate(octets: 100)
        _ = script.observe(ms: 20_000)
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 11, octets: 150), ms: 21_000)
        #expect(script.totals[.receivedOctets] == 150)
        #expect(script.totals.connects == 2)
    }

    @Test mutating func theSameAccessPointAgainCountsFromZero() {
        associate(octets: 100)
        let again = RadioScript.station(RadioScript.first, connected: 2, octets: 400)
        #expect(script.observe(again, ms: 20_000) == [.connected(to: .first)])
        #expect(script.totals[.receivedOctets] == 500)
        #expect(script.totals.connects == 2)
        #expect(script.totals.disconnects == 1)
    }

    @Test mutating func anInterfaceThatVanishesKeepsItsTotals() {
        associate(octets: 100)
        #expect(
            script.ledger.observed(RadioObservation(), at: RadioScript.at(12_000)).map(\.kind)
                == [.disconnected(from: .first, reason: nil, by: nil)])
        #expect(script.ledger.interfaces.isEmpty)
        script.interface.index = 9
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 1, octets: 30), ms: 60_000)
        #expect(script.totals[.receivedOctets] == 130)
        #expect(script.totals.connects == 2)
        #expect(script.tell(.scanEnded, ms: 60_100) == [])  // of the index before
        let gone = RadioEvent(.interfaceGone(script.interface), interface: 9)
        #expect(script.ledger.told(gone, at: RadioScript.at(61_000)).count == 1)
        #expect(script.ledger.interfaces.isEmpty)
    }
}
