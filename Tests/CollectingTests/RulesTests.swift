// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Collecting

@Suite struct RulesTests {
    private static func time(_ text: String) -> WallTime { WallTime(rfc3339: text) ?? WallTime(nanoseconds: 0) }

    // MARK: Retention

    /// Each hour of ten years: a day is over as soon as its last report is older than 72 h and not before, and sums go after
    /// 30 and 730 days.
    @Test func tenYears() {
        let retention = Retention()
        let begin = Self.time("2026-01-01T00:00:00Z")
        var days: Set<Int64> = []
        var most = 0
        for hour in 0..<Int64(10 * 365 * 24) {
            let now = WallTime(nanoseconds: begin.nanoseconds + Nanoseconds.seconds(hour * 3_600).count)
            days.insert(Retention.day(of: now))
            for day in days where retention.isOver(day: day, at: now) {
                let age = now.milliseconds - (day + 1) * Retention.dayMilliseconds
                #expect(age == 72 * 3_600_000, "removed at the first hour at which all of it is that old")
                days.remove(day)
            }
            most = max(most, days.count)
            #expect(now.milliseconds - retention.horizon(.hour, at: now) == 730 * Retention.dayMilliseconds)
            #expect(now.milliseconds - retention.horizon(.minute, at: now) == 30 * Retention.dayMilliseconds)
        }
        #expect(most == 4)
    }

    @Test func choosesTheResolution() {
        let (retention, now) = (Retention(), Self.time("2026-11-27T12:00:00Z"))
        func chosen(_ from: String, _ to: String) -> Retention.Resolution {
            retention.resolution(for: Self.time(from)..<Self.time(to), at: now)
        }
        #expect(chosen("2026-11-27T06:00:00Z", "2026-11-27T12:00:00Z") == .minute)
        #expect(chosen("2026-11-27T05:59:59Z", "2026-11-27T12:00:00Z") == .hour)
        #expect(chosen("2026-10-01T00:00:00Z", "2026-10-01T01:00:00Z") == .hour)
    }

    @Test func daysHaveTables() {
        let day = Retention.day(of: Self.time("2026-05-12T23:59:59.999Z"))
        #expect(SQLiteReportTables.reports(day: day) == "reports_20260512")
        #expect(SQLiteReportTables.day(ofTable: "reports_20260512") == day)
        for name in [
            "reports_2026051", "reports_20261312", "reports_x0260512", "latest", "", "reports_20260512_sender",
        ] {
            #expect(SQLiteReportTables.day(ofTable: name) == nil, "\(name)")
        }
        #expect(Retention.day(of: WallTime(nanoseconds: -1_000_000)) == -1)
    }

    // MARK: Which state is newer

    @Test func newerStates() {
        let arrived = Self.time("2026-11-27T12:00:00Z")
        func state(_ boot: String, _ sequence: Int64, _ wall: String?) -> Newness {
            Newness(boot: boot, sequence: sequence, wall: wall.map(Self.time), arrived: arrived)
        }
        let (first, second) = ("00000001-aaaaaaaaaaaaaaaa", "00000002-0000000000000000")
        let rows: [(new: Newness, old: Newness, isNewer: Bool, what: String)] = [
            (state(first, 2, nil), state(first, 1, nil), true, "of one start the sequence counts"),
            (state(first, 1, nil), state(first, 1, nil), false, "the same"),
            (
                state(first, 1, "2026-11-27T11:00:00Z"), state(first, 2, "2026-11-27T10:00:00Z"), false,
                "its clock was set"
            ),
            (state(second, 1, nil), state(first, 9, nil), true, "a later start"),
            (state(first, 9, nil), state(second, 1, nil), false, "what waited of an earlier start"),
            (state(first, 1, "2026-11-27T11:00:00Z"), state(second, 5, "2026-11-27T10:00:00Z"), true, "a new disk"),
            (state(second, 1, "1970-01-01T00:01:00Z"), state(first, 5, "2026-11-27T10:00:00Z"), true, "no clock"),
            (state(first, 1, "2199-01-01T00:00:00Z"), state(second, 5, "2026-11-27T10:00:00Z"), false, "the future"),
        ]
        for row in rows { #expect(row.new.isNewer(than: row.old) == row.isNewer, "\(row.what)") }
    }

    @Test func judgesClocks() {
        let arrived = Self.time("2026-11-27T12:00:00Z")
        let rows: [(String?, ClockJudgement)] = [
            (nil, .unset), ("1970-01-01T00:00:01Z", .wrong), ("2026-11-27T12:59:59Z", .plausible),
            ("2026-11-27T13:00:01Z", .wrong), ("2026-11-20T00:00:00Z", .plausible),
        ]
        for (wall, judgement) in rows {
            #expect(ClockJudgement(wall: wall.map(Self.time), arrived: arrived) == judgement, "\(wall ?? "-")")
        }
    }

    // MARK: Arrivals

    private static func at(_ milliseconds: Int64) -> Monotonic { Monotonic(nanoseconds: milliseconds * 1_000_000) }

    @Test func oneBoxMayNotSendWithoutEnd() {
        var arrivals = Arrivals()
        var now: Int64 = 0
        var taken = 0
        for _ in 0..<2_000 {
            switch arrivals.handle(box: "a", reports: 100, octets: 1_000, .init(), now: Self.at(now)) {
            case .take: taken += 100
            case .slowDown(let seconds): #expect((1...10).contains(seconds))
            case .wait: Issue.record("nothing waits")
            }
            now += 10
        }
        // A burst, and the rate for twenty seconds.
        #expect((2_900...3_000).contains(taken), "\(taken)")
        let other = arrivals.handle(box: "b", reports: 100, octets: 1_000, .init(), now: Self.at(now))
        #expect(other == .take(credit: 100))
    }

    @Test func workThatPilesUpCostsCredit() {
        var arrivals = Arrivals()
        var credits: [Int64] = []
        var waits: Set<Int64> = []
        for queued in stride(from: 0, through: 20_000, by: 500) {
            let queue = Arrivals.Queue(reports: queued, octets: queued, perReport: .microseconds(100))
            switch arrivals.handle(box: "box-\(queued)", reports: 6, octets: 6_000, queue, now: Self.at(0)) {
            case .take(let credit): credits.append(credit)
            case .wait(let seconds): waits.insert(seconds)
            case .slowDown: Issue.record("no box sends much")
            }
        }
        #expect(credits.first == 100 && credits == credits.sorted(by: >) && credits.last == 1)
        #expect(credits.count == 21)
        #expect(waits.count > 3 && waits.allSatisfy { (1...70).contains($0) })
        let large = Arrivals.Queue(reports: 0, octets: 64 << 20)
        if case .wait = arrivals.handle(box: "x", reports: 1, octets: 1, large, now: Self.at(0)) {
        } else {
            Issue.record("it has no room")
        }
    }

    @Test func remembersABoundedNumberOfBoxes() {
        var limits = Arrivals.Limits()
        limits.boxes = 100
        var arrivals = Arrivals(limits)
        for number in 0..<1_000 as Range<Int64> {
            let decision = arrivals.handle(box: "\(number)", reports: 100, octets: 1, .init(), now: Self.at(number))
            #expect(decision == .take(credit: 100))
        }
        #expect(
            Mirror(reflecting: arrivals).children.compactMap { ($0.value as? [String: Any])?.count }.allSatisfy {
                $0 <= 100
            })
    }

    @Test func sumsStayWithin64Bits() {
        var sums = AirSums()
        for value in [Int64.max, .max, 5, .min, .min] {
            sums.packets.addClamped(value)
            #expect(abs(sums.packets) <= 1 << 60)
        }
    }
}
