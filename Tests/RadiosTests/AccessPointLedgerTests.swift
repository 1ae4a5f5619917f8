// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

@testable import Radios

/// Which access point lost what (SVM-130, G-57).
struct AccessPointLedgerTests {
    private var ledger = AccessPointLedger()
    private var second: Int64 = 0

    private mutating func sample(_ bssid: HardwareAddress?, _ counters: [SessionCounters], signal: Int? = nil) {
        second += 1
        var state = RadioState(RadioInterface(index: 1, name: "w", wiphy: 0, mode: .station), name: "w")
        state.isAssociated = bssid != nil
        state.bssid = bssid
        state.accessPoint = bssid == RadioScript.first ? "Gate A" : nil
        if let bssid {
            state.figures = StationFigures(interface: 1, address: bssid)
            state.figures?.averageSignal = signal
        }
        ledger.observed(state, counters, at: RadioScript.at(second * 1_000))
    }

    private static func counters(_ packets: Int64, _ lost: Int64, _ windows: Int64 = 0, _ failed: Int64 = 0)
        -> [SessionCounters]
    {
        [SessionCounters(session: 7, packets: packets, lost: lost, windows: windows, failedWindows: failed)]
    }

    @Test mutating func lossesBelongToTheAccessPointThatWasLeft() {
        sample(RadioScript.first, Self.counters(1_000, 50, 10, 1), signal: -60)
        sample(RadioScript.first, Self.counters(1_100, 51, 11, 1), signal: -61)
        sample(RadioScript.second, Self.counters(1_150, 91, 12, 2), signal: -50)
        sample(nil, Self.counters(1_250, 91, 13, 2))
        sample(nil, Self.counters(1_260, 500, 20, 9))
        let totals = ledger.totals
        #expect(totals.map(\.bssid) == [RadioScript.first, RadioScript.second])
        #expect(totals.map(\.name) == ["Gate A", nil])
        #expect(totals.map(\.seconds) == [2, 1])
        #expect(totals.map(\.packets) == [150, 100])
        #expect(totals.map(\.lost) == [41, 0])
        #expect(totals.map(\.windows) == [2, 1])
        #expect(totals.map(\.failedWindows) == [1, 0])
        #expect(totals.map(\.signal) == [-61, -50])
    }

    @Test mutating func aSessionThatIsJoinedAgainHasLostNothing() {
        sample(RadioScript.first, Self.counters(1_000, 50))
        sample(RadioScript.first, Self.counters(10, 0))
        sample(RadioScript.first, [])
        sample(RadioScript.first, Self.counters(900, 80))
        sample(RadioScript.first, Self.counters(1_000, 81))
        #expect(ledger.totals.map(\.lost) == [1])
        #expect(ledger.totals.map(\.packets) == [100])
    }

    @Test mutating func whatIsTakenIsTakenOnce() {
        sample(RadioScript.first, Self.counters(0, 0), signal: -40)
        sample(RadioScript.first, Self.counters(100, 1), signal: -40)
        #expect(ledger.take().map(\.packets) == [100])
        #expect(ledger.take().isEmpty)
        sample(RadioScript.first, Self.counters(130, 1), signal: -70)
        let taken = ledger.take()
        #expect(taken.map(\.packets) == [30])
        #expect(taken.map(\.seconds) == [1])
        #expect(taken.map(\.signal) == [-70])
        #expect(ledger.totals.map(\.signal) == [-50])
        #expect(ledger.totals.map(\.packets) == [130])
    }

    @Test mutating func theOneThatWasUsedLeastRecentlyGoes() {
        for address in 1...257 as ClosedRange<UInt64> { sample(HardwareAddress(bits: address), []) }
        #expect(ledger.totals.count == 256)
        #expect(ledger.forgotten == 1)
        #expect(ledger.totals.first?.bssid == HardwareAddress(bits: 2))
    }
}
