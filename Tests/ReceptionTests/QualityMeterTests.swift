// SPDX-License-Identifier: Apache-2.0
import Statistics
import Testing
import Time
import Venue

@testable import Reception

/// Windows, rates and alarms over made totals, second by second.
@Suite struct QualityMeterTests {
    private struct Bench {
        var meter: QualityMeter
        var totals = QualityMeter.Reading()
        var now = Monotonic(nanoseconds: 3_000_000_000)
        var readings = 0

        init(_ limits: MonitorLimits = MonitorLimits()) {
            meter = QualityMeter(limits: limits)
            meter.tick(at: now) { QualityMeter.Reading() }
        }

        mutating func pass(_ span: Nanoseconds) {
            now += span
            meter.tick(at: now) {
                readings += 1
                return totals
            }
        }

        mutating func pass(seconds: Int) { for _ in 0..<seconds { pass(.seconds(1)) } }

        var quality: StreamQuality { meter.quality }
    }

    private static func limits(_ indicator: StreamIndicator, alarm: Int64) -> MonitorLimits {
        var limits = MonitorLimits()
        limits.alarms[indicator] = alarm
        return limits
    }

    @Test func asksOnceASecond() {
        var bench = Bench()
        for _ in 0..<50 { bench.pass(.milliseconds(20)) }
        #expect(bench.readings == 1 && bench.quality.seconds == 1)
        for _ in 0..<99 { bench.pass(.milliseconds(20)) }
        #expect(bench.readings == 2)
    }

    @Test func countsWithinEachWindow() {
        var bench = Bench()
        bench.totals.faults[.crc] = 5
        bench.pass(seconds: 1)
        #expect(bench.quality.short[.crc] == 5 && bench.quality.long[.crc] == 5)
        bench.totals.faults[.crc] = 7
        bench.pass(seconds: 1)
        #expect(bench.quality.short[.crc] == 7 && bench.quality.totals[.crc] == 7)
        bench.pass(seconds: 8)
        #expect(bench.quality.short[.crc] == 7)
        bench.pass(seconds: 1)  // the first second is 10 s old
        #expect(bench.quality.short[.crc] == 2)
        bench.pass(seconds: 1)
        #expect(bench.quality.short[.crc] == 0 && bench.quality.long[.crc] == 7)
        bench.pass(seconds: 50)
        #expect(bench.quality.long[.crc] == 0 && bench.quality.totals[.crc] == 7)
        #expect(bench.quality.short[.pat] == 0)
    }

    @Test func ratesAreOfTheWindow() {
        var bench = Bench()
        for _ in 0..<20 {
            bench.totals.packets += 990
            bench.totals.octets += 1_250_000
            bench.totals.faults[.lostToNetwork] += 8
            bench.totals.faults[.lostToKernel] += 2
            bench.pass(seconds: 1)
        }
        #expect(bench.quality.shortLossPPM == 10_000 && bench.quality.longLossPPM == 10_000)
        #expect(bench.quality.shortLost == 100 && bench.quality.longLost == 200)
        #expect(bench.quality.bitsPerSecond == 10_000_000)
        for _ in 0..<10 {
            bench.totals.packets += 1_000
            bench.pass(seconds: 1)
        }
        #expect(bench.quality.shortLossPPM == 0 && bench.quality.longLossPPM == 200 * 1_000_000 / 30_000)
        #expect(bench.quality.bitsPerSecond == 0)
        #expect(Bench().quality.shortLossPPM == 0)
    }

    @Test func peaksLeaveWithTheWindow() {
        var bench = Bench()
        bench.totals.peakJitter = .milliseconds(9)
        bench.totals.worstPCR = Nanoseconds(700)
        bench.pass(seconds: 1)
        (bench.totals.peakJitter, bench.totals.worstPCR) = (.milliseconds(2), .zero)
        bench.pass(seconds: 9)
        #expect(bench.quality.peakJitter == .milliseconds(9) && bench.quality.worstPCR == Nanoseconds(700))
        bench.pass(seconds: 1)
        #expect(bench.quality.peakJitter == .milliseconds(2) && bench.quality.worstPCR == .zero)
    }

    /// From 10 on, down to 5.
    @Test func alarmsHaveHysteresis() {
        var bench = Bench(Self.limits(.continuityCount, alarm: 10))
        var isAlarm: Bool { bench.quality.alarms.contains(.continuityCount) }
        bench.totals.faults[.continuityCount] = 6
        bench.pass(seconds: 1)
        #expect(!isAlarm)
        bench.totals.faults[.continuityCount] = 12
        bench.pass(seconds: 1)
        #expect(isAlarm && bench.quality.alarms.members == [.continuityCount])
        bench.pass(seconds: 9)  // 6 of them are left
        #expect(bench.quality.short[.continuityCount] == 6 && isAlarm)
        bench.pass(seconds: 1)
        #expect(!isAlarm)
    }

    @Test func anAlarmLastsAsLongAsItsAbsence() {
        var bench = Bench()
        bench.totals.faults[.pat] = 1
        bench.totals.overdue = [StreamIndicator.Set(.pat)]
        bench.pass(seconds: 100)
        #expect(bench.quality.alarms.members == [.pat] && bench.quality.short[.pat] == 0)
        bench.totals.overdue = []
        bench.pass(seconds: 1)
        #expect(bench.quality.alarms == [])
    }

    @Test func aLimitOfZeroIsNoAlarm() {
        var bench = Bench(Self.limits(.crc, alarm: 0))
        bench.totals.faults[.crc] = 1_000
        bench.totals.overdue = [StreamIndicator.Set(.crc)]
        bench.pass(seconds: 2)
        #expect(bench.quality.alarms == [])
    }

    /// A thread that stood still for a while: the seconds are over all the same.
    @Test func survivesTimeThatJumps() {
        var bench = Bench()
        bench.totals.faults[.crc] = 3
        bench.pass(.seconds(25))
        #expect(bench.quality.seconds == 25 && bench.quality.long[.crc] == 3 && bench.quality.short[.crc] == 0)
        bench.pass(.seconds(100_000))
        #expect(bench.quality.long[.crc] == 0)
        bench.pass(.seconds(1))
        #expect(bench.quality.totals[.crc] == 3)
    }

    @Test func documentNamesEachIndicator() {
        var bench = Bench()
        bench.totals.faults[.lostToKernel] = 4
        bench.pass(seconds: 1)
        let json = StreamQuality.statistics.json(of: bench.quality)
        #expect(json["indicators"]?.object?.count == StreamIndicator.allCases.count)
        #expect(json["indicators"]?["lostToKernel"]?["total"]?.integer == 4)
        #expect(json["indicators"]?["lostToKernel"]?["isAlarm"]?.bool == true)
        #expect(json["alarms"]?.array?.compactMap(\.string) == ["lostToKernel"])
        #expect(StreamIndicator.allCases.count <= 16, "a lane for each")
    }
}
