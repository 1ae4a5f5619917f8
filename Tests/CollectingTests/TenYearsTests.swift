// SPDX-License-Identifier: Apache-2.0
import Database
import TestSupport
import Testing
import Time

@testable import Collecting

/// Years of a store on a disk, in simulated time: a box that reports each hour over one access point, and upkeep once a
/// day. Ten of them in the soak, else four, which is one more than the file grows.
@Suite struct TenYearsTests {
    private static let hoursOfDay: Int64 = 24
    private static let years: Int64 = Effort.seeds(1).count > 1 ? 10 : 4

    /// What 25 boxes that play receive over an access point in ten minutes.
    private static var air: AirCount {
        var sums = AirSums()
        (sums.packets, sums.lost, sums.windows, sums.failedWindows) = (6_000_000, 300, 750_000, 40)
        (sums.seconds, sums.signalSum, sums.signalSeconds) = (15_000, -900_000, 15_000)
        return AirCount(.init(bssid: "02:00:00:00:00:01", channel: 36), name: "Gate", ssid: "Venue", sums)
    }

    /// Reports of one day, each as it would arrive.
    private static func batches(of day: Int64) -> [IncomingBatch] {
        (0..<hoursOfDay).map { hour in
            let sequence = day * hoursOfDay + hour + 1
            return IncomingBatch(
                ReportSource(box: "b-1", boot: Samples.boot), [Samples.report(sequence, air: [air])],
                arrived: Samples.time((day * hoursOfDay + hour) * 3_600))
        }
    }

    /// Rows as the rules say, octets as config/SCALING.md computes them from rows, and a file that stops growing when the
    /// first sums of hours go, after two years.
    @Test func tablesHaveTheSizesThatAreComputed() throws {
        let made = try StoreKind.sqlite.make()
        let writer = try made.store.openWriter()
        let database = try Database(made.path, .reading)
        func count(_ query: String) throws -> Int64 { try database.query(query).first?.first?.integer ?? -1 }
        var pages: [Int64] = []
        for day in 0..<365 * Self.years {
            let outcomes = try writer.commit(Self.batches(of: day))
            #expect(outcomes.allSatisfy { $0.new == 1 })
            while try writer.keepUp(Samples.time((day + 1) * 86_400 - 3_600)) {}
            if day % 365 == 364 { pages.append(try count("PRAGMA page_count")) }
        }
        let days = try SQLiteReportTables.days(of: database)
        let ofDays = try days.map { try count("SELECT count(*) FROM \(SQLiteReportTables.reports(day: $0))") }
        let reports = ofDays.reduce(0, +)
        // Days are dropped whole: up to one more than the three of the rule, and the one that has begun.
        #expect(days.count <= 5 && (72...5 * Self.hoursOfDay).contains(reports), "\(days.count) days, \(reports)")
        for resolution in Retention.Resolution.allCases {
            let hours = (resolution == .minute ? 30 : 730) * Self.hoursOfDay
            let table = SQLiteReportTables.air(resolution)
            let rows = try count("SELECT count(*) FROM \(table)")
            #expect((hours...hours + Self.hoursOfDay).contains(rows), "\(table): \(rows)")
            let octets = try count("SELECT sum(pgsize) FROM dbstat WHERE name = '\(table)'")
            // 61 and 82 octets a row, as they were measured of sums over a minute and an hour.
            let computed = Double(rows * (resolution == .minute ? 61 : 82))
            #expect((0.75...1.25).contains(Double(octets) / computed), "\(table): \(octets) of \(rows) rows")
        }
        #expect(try count("SELECT count(*) FROM latest") == 1 && count("SELECT count(*) FROM received") == 1)
        let grown = Double(try #require(pages.last)) / Double(pages[2])
        #expect(pages[2] > pages[0] && (0.95...1.05).contains(grown), "\(pages)")
        print("\(Self.years) years: \(pages) pages at the end of each, \(reports) reports")
    }
}
