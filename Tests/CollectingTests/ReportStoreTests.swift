// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import Collecting

/// What every kind of store has to do.
@Suite struct ReportStoreTests {
    private static let day = WallTime(nanoseconds: 0)..<Samples.time(1 << 20)

    private func all(_ reader: StoreReader, _ box: String = "b-1") throws -> [Int64] {
        try reader.reports(ReportQuery(box: box, span: Self.day, limit: 10_000)).reports.map(\.sequence)
    }

    @Test(arguments: StoreKind.allCases) func keepsEachReportOnce(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        let outcomes = try writer.commit([
            Samples.batch([1, 2, 5]), Samples.batch([2, 3], of: "b-2"), Samples.batch([2, 3]),
        ])
        #expect(outcomes.map(\.acknowledged) == [[1...2, 5...5], [2...3], [2...3]])
        #expect(outcomes.map(\.new) == [3, 2, 1] && outcomes.map(\.known) == [0, 0, 1])
        #expect(try all(reader) == [1, 2, 5, 3] && all(reader, "b-2") == [2, 3])
        // Another connection knows it as well, and the same box after another start counts anew.
        let other = try made.store.openWriter()
        let again = try other.commit([
            Samples.batch([1, 2, 3, 4, 5]), Samples.batch([1], boot: "00000002-0123456789abcdef"),
        ])
        #expect(again.map(\.new) == [1, 1] && again[0].acknowledged == [1...5])
        #expect(try all(reader) == [1, 2, 5, 3, 4, 1])
        #expect(
            try reader.reports(ReportQuery(box: "b-1", span: Self.day, limit: 1)).reports[0].text
                == Samples.report(1).text)
        #expect(try all(reader, "nobody").isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func tellsWhatIsMissing(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        _ = try writer.commit([Samples.batch([3, 4, 9])])
        _ = try writer.commit([Samples.batch([1], boot: "00000002-0123456789abcdef", at: 60)])
        let gaps = try reader.gaps("b-1", 10)
        #expect(gaps.map(\.boot) == ["00000002-0123456789abcdef", Samples.boot])
        #expect(gaps[0].missing == 0 && gaps[0].ranges.isEmpty && gaps[0].began == Samples.time(60))
        #expect(gaps[1].missing == 6 && gaps[1].ranges == [1...2, 5...8] && gaps[1].last == 9)
        _ = try writer.commit([Samples.batch([1, 2, 5, 6, 7, 8])])
        #expect(try reader.gaps("b-1", 10)[1].missing == 0)
        #expect(try reader.gaps("b-1", 1).count == 1 && reader.gaps("b-9", 1).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func keepsTheNewestState(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        func send(_ reports: [IncomingReport], at seconds: Int64) throws {
            _ = try writer.commit([
                IncomingBatch(ReportSource(box: "b-1", boot: Samples.boot), reports, arrived: Samples.time(seconds))
            ])
        }
        try send([Samples.report(1, state: nil)], at: 0)
        #expect(try reader.latestOf("b-1") == nil)
        try send([Samples.report(8, state: "up", wall: Samples.time(7)), Samples.report(9, state: nil)], at: 10)
        try send([Samples.report(5, state: "down")], at: 11)  // it waited
        let latest = try #require(try reader.latestOf("b-1"))
        #expect(latest.sequence == 8 && latest.summary.state == "up" && latest.summary.name == "Bar")
        #expect(latest.skew == .seconds(-3) && latest.text == Samples.report(8).text)
        let other = try made.store.openWriter()
        _ = try other.commit([Samples.batch([6, 7])])
        #expect(try reader.latestOf("b-1")?.sequence == 8)
        _ = try other.commit([Samples.batch([10])])
        #expect(try reader.latestOf("b-1")?.sequence == 10)
    }

    @Test(arguments: StoreKind.allCases) func boxesAreListedInPages(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        let ids = (0..<25).map { "b-\($0)" }.shuffled()
        _ = try writer.commit(ids.map { Samples.batch([1], of: $0) })
        var (found, after): ([String], String) = ([], "")
        while true {
            let page = try reader.latest(after, 7)
            guard let last = page.last else { break }
            #expect(page.count <= 7 && page.allSatisfy { $0.text == nil })
            found += page.map(\.source.box)
            after = last.source.box
        }
        #expect(found == ids.sorted())
    }

    /// Every report of some days comes exactly once, whatever the size of the pages.
    @Test(arguments: StoreKind.allCases, [1, 7, 64, 65, 1_000]) func pagesLoseNothing(kind: StoreKind, limit: Int)
        throws
    {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        // Several of one instant, over midnight.
        for number in 0..<30 as Range<Int64> {
            let sequences = Array(number * 10 + 1...number * 10 + 10)
            _ = try writer.commit([
                Samples.batch(sequences, at: number * 7_200), Samples.batch(sequences, of: "x", at: number),
            ])
        }
        var query = ReportQuery(box: "b-1", span: Self.day, limit: limit)
        var found: [Int64] = []
        while true {
            let page = try reader.reports(query)
            found += page.reports.map(\.sequence)
            query.after = page.reports.last?.place
            guard page.hasMore else { break }
            #expect(page.reports.count == limit)
        }
        #expect(found == Array(1...300))
        let span = Samples.time(7_200)..<Samples.time(14_400)
        #expect(
            try reader.reports(ReportQuery(box: "b-1", span: span, limit: 99)).reports.map(\.sequence) == Array(11...20)
        )
        let small = try reader.reports(ReportQuery(box: "b-1", span: Self.day, limit: 99, mostOctets: 1))
        #expect(small.reports.count == 1 && small.hasMore)
    }

    /// A box in another one's place shows the reports of both in their order, and nobody else's.
    @Test(arguments: StoreKind.allCases, [7, 64, 1_000]) func showsPredecessorsInOneOrder(kind: StoreKind, limit: Int)
        throws
    {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        var sent: [String] = []
        for number in 0..<30 as Range<Int64> {
            let box = ["old", "new", "other"][Int(number % 3)]
            let sequences = Array(number * 10 + 1...number * 10 + 10)
            _ = try writer.commit([Samples.batch(sequences, of: box, at: number * 7_200)])
            if box != "other" { sent += sequences.map { "\(box) \($0)" } }
        }
        var query = ReportQuery(box: "new", predecessors: ["never", "old"], span: Self.day, limit: limit)
        var found: [String] = []
        while true {
            let page = try reader.reports(query)
            found += page.reports.map { "\($0.source.box) \($0.sequence)" }
            query.after = page.reports.last?.place
            guard page.hasMore else { break }
        }
        #expect(found == sent)
    }

    @Test(arguments: StoreKind.allCases) func addsUpAccessPointsAndChannels(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for number in 0..<60 as Range<Int64> {
            let air = [
                Samples.air("aa", 36, packets: 100, lost: 1, signal: -60),
                Samples.air("bb", 36, packets: 10, lost: 0, signal: nil),
                Samples.air("aa", 40, packets: 1, lost: 1, signal: -80),
            ]
            let reports = [Samples.report(number + 1, air: air)]
            let batch = IncomingBatch(
                ReportSource(box: "b-\(number % 3)", boot: Samples.boot), reports, arrived: Samples.time(number * 60))
            _ = try writer.commit([batch, batch])  // the second adds nothing
        }
        for resolution in Retention.Resolution.allCases {
            let points = try reader.air(AirQuery(.accessPoint, Self.day, resolution, limit: 10))
            #expect(points.map(\.bssid) == ["aa", "bb"] && points.map(\.ssid) == ["Venue", "Venue"])
            #expect(points.map(\.sums.packets) == [6_060, 600] && points.map(\.sums.lost) == [120, 0])
            #expect(points[0].sums.signal == -70 && points[1].sums.signal == nil && points[0].sums.seconds == 1_200)
            let channels = try reader.air(AirQuery(.channel, Self.day, resolution, limit: 10))
            #expect(channels.map(\.channel) == [36, 40] && channels.map(\.sums.packets) == [6_600, 60])
            #expect(try reader.air(AirQuery(.channel, Self.day, resolution, limit: 1)).count == 1)
        }
        let minutes = Samples.time(600)..<Samples.time(720)
        #expect(try reader.air(AirQuery(.channel, minutes, .minute, limit: 10)).map(\.sums.packets) == [220, 2])
    }

    @Test(arguments: StoreKind.allCases) func absurdCountsBreakNothing(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        for number in 1...20 as ClosedRange<Int64> {
            let air = [Samples.air("aa", 1, packets: .max, lost: .max / 2, signal: -100)]
            let batch = IncomingBatch(
                ReportSource(box: "b", boot: Samples.boot), [Samples.report(number, air: air)],
                arrived: Samples.time(number * 4_000))
            #expect(try writer.commit([batch])[0].new == 1)
        }
        #expect(try reader.air(AirQuery(.accessPoint, Self.day, .hour, limit: 1))[0].sums.packets > 1 << 50)
    }

    @Test(arguments: StoreKind.allCases) func tooManyGapsAreRefused(kind: StoreKind) throws {
        let made = try kind.make()
        let writer = try made.store.openWriter()
        for begin in stride(from: Int64(0), to: 4_096, by: 64) {
            #expect(try writer.commit([Samples.batch((begin..<begin + 64).map { 2 * $0 + 1 })])[0].new == 64)
        }
        let outcome = try writer.commit([Samples.batch([2, 10_001, 10_003, 10_005])])[0]
        #expect(
            outcome.acknowledged == [2...2, 10_001...10_001] && outcome.refused.map(\.sequence) == [10_003, 10_005])
    }

    /// Old reports and sums go, a part at a time; what was acknowledged is known for ever.
    @Test(arguments: StoreKind.allCases) func throwsAwayWhatIsOld(kind: StoreKind) throws {
        let made = try kind.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        var first: Int64 = 1
        // Three years, with 5,000 reports on the first day and some on each 20th.
        for day in stride(from: Int64(0), through: 1_100, by: 20) {
            let air = [Samples.air("aa", 36, packets: 1, lost: 0, signal: nil)]
            for _ in 0..<(day == 0 ? 50 : 1) {
                let reports = (first..<first + 100).map { Samples.report($0, air: air) }
                first += 100
                let arrived = Samples.time(day * 86_400)
                _ = try writer.commit([
                    IncomingBatch(ReportSource(box: "b-1", boot: Samples.boot), reports, arrived: arrived)
                ])
            }
            var portions = 0
            while try writer.keepUp(Samples.time(day * 86_400 + 3_600)) { portions += 1 }
            #expect(portions <= 10)
            let kept = try reader.reports(
                ReportQuery(box: "b-1", span: WallTime(nanoseconds: 0)..<Samples.time(1_200 * 86_400), limit: 1))
            let oldest = try #require(kept.reports.first)
            #expect(oldest.place.arrived >= Samples.time((day - 4) * 86_400))
        }
        let ever = WallTime(nanoseconds: 0)..<Samples.time(1_200 * 86_400)
        let minutes = try reader.air(AirQuery(.accessPoint, ever, .minute, limit: 1))
        let hours = try reader.air(AirQuery(.accessPoint, ever, .hour, limit: 1))
        #expect(minutes.first?.sums.packets == 200 && hours.first?.sums.packets == 37 * 100)
        let outcome = try made.store.openWriter().commit([Samples.batch([1, 4_000, first - 1, first])])[0]
        #expect(outcome.known == 3 && outcome.new == 1)
        #expect(try reader.gaps("b-1", 1)[0].missing == 0)
    }
}
