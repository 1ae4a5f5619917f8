// SPDX-License-Identifier: Apache-2.0
import Radio
import TestSupport
import Testing

@testable import Radios

/// Totals over associations, wraps and lost samples (SVM-127).
struct CounterTests {
    /// Associations last five to thirty seconds. Samples come each second and some are lost, at most three in a row;
    /// of an event and the next sample at most the event is lost.
    @Test(arguments: 1...100 as ClosedRange<UInt64>) func totalsAreTheDrivers(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var driver = SimulatedDriver()
        var script = RadioScript()
        _ = script.observe(ms: 0)
        var next = 4
        var lost = 0
        for second in 1...600 {
            let ms = Int64(second) * 1_000 + Int64.random(in: 0...20, using: &random)
            driver.count(&random)
            if second == next {
                let isTold = random.percent(50)
                change(&driver, &script, isTold: isTold, ms: ms, &random)
                next += Int.random(in: 5...30, using: &random)
                lost = 3
            }
            if lost < 3, random.percent(30) {
                lost += 1
                continue
            }
            lost = 0
            let sample = driver.sample(ms: ms + 50)
            _ = script.observe(all: sample.map { [$0] } ?? [], ms: ms + 50)
            #expect((script.totals[.receivedOctets] ?? 0) == driver.octetsInTruth, "second \(second)")
            #expect((script.totals[.receivedPackets] ?? 0) == driver.packetsInTruth, "second \(second)")
            #expect(script.totals.roams == driver.roams, "second \(second)")
            #expect(script.totals.connects == driver.connects, "second \(second)")
            #expect(script.totals.disconnects == driver.disconnects, "second \(second)")
        }
        #expect(script.totals.counterResets == 0)
        #expect(driver.roams > 0 && driver.disconnects > 0)
    }

    private func change(
        _ driver: inout SimulatedDriver, _ script: inout RadioScript, isTold: Bool, ms: Int64,
        _ random: inout SplitMix64
    ) {
        if driver.address != nil, random.percent(40) {
            driver.end()
            if isTold { script.tell(.disconnected(reason: nil, by: .station), ms: ms) }
            return
        }
        let isRoam = driver.address != nil
        let points = (1...4 as ClosedRange<UInt64>).map { HardwareAddress(bits: $0) }.filter { $0 != driver.address }
        let point = random.one(of: points)
        driver.associate(point, ms: ms)
        if isTold { script.tell(isRoam ? .roamed : .connected, point, ms: ms) }
    }

    @Test(arguments: [
        (UInt64(100), UInt64(150), UInt64?(50)), (0xffff_fff0, 0x10, 0x20), (1_000, 10, nil),
        (0x8000_0001, 0, 0x7fff_ffff), (0x8000_0000, 0, nil), (0x1_0000_0000, 0, nil), (7, 7, 0),
    ]) func aWrapIsMoreThanHalfTheRange(before: UInt64, value: UInt64, growth: UInt64?) {
        #expect(CounterBaseline.growth(from: before, to: value) == growth)
    }

    @Test func aResetOfTheDriverIsCounted() {
        var script = RadioScript()
        _ = script.observe(ms: 0)
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 0, packets: 1_000), ms: 1_000)
        _ = script.observe(RadioScript.station(RadioScript.first, connected: 1, packets: 30), ms: 2_000)
        #expect(script.totals[.receivedPackets] == 1_030)
        #expect(script.totals.counterResets == 1)
    }

    @Test func aCounterThatIsLeftOutGoesOn() {
        var script = RadioScript()
        _ = script.observe(ms: 0)
        for (second, packets) in [(1, 10), (2, nil), (3, 25)] as [(Int64, UInt32?)] {
            _ = script.observe(
                RadioScript.station(RadioScript.first, connected: second, packets: packets), ms: second * 1_000)
        }
        #expect(script.totals[.receivedPackets] == 25)
    }
}
