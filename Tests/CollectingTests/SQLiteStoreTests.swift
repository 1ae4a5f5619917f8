// SPDX-License-Identifier: Apache-2.0
import Database
import Foundation
import TestSupport
import Testing
import Time

@testable import Collecting

@Suite struct SQLiteStoreTests {
    private func refusal(_ body: () throws -> Void) -> StoreError.Kind? { thrown(StoreError.self, by: body)?.kind }

    /// No question reads a table of reports or sums from one end to the other.
    @Test func everyQuestionHasAnIndex() throws {
        let made = try StoreKind.sqlite.make()
        _ = try made.store.openWriter().commit([Samples.batch([1])])
        let database = try Database(made.path, .reading)
        let table = SQLiteReportTables.reports(day: Retention.day(of: Samples.noon))
        typealias Statements = SQLiteReportReader.Statements
        var statements = [
            Statements.latest, Statements.latestOf, Statements.starts, Statements.received, Statements.reports(table),
        ]
        statements += AlertQuery.State.allCases.map(SQLiteAlerts.Statements.list)
        typealias Alerts = SQLiteAlerts.Statements
        statements += [Alerts.states, Alerts.open, Alerts.waiting, Alerts.forget]
        for resolution in Retention.Resolution.allCases {
            statements += [Statements.air(.accessPoint, resolution), Statements.air(.channel, resolution)]
            statements.append(SQLiteBoxSums.read(resolution))
            typealias Venues = SQLiteReportReader.VenueStatements
            statements += [Venues.air(.accessPoint, resolution), Venues.air(.channel, resolution)]
            statements += [Venues.moment(resolution), Venues.venues, Venues.boxes, Venues.states]
        }
        for statement in statements {
            let plan = try database.query("EXPLAIN QUERY PLAN " + statement).compactMap { $0.last?.text }
            #expect(!plan.isEmpty)
            // The times that are wanted are no table.
            #expect(
                !plan.contains { $0.hasPrefix("SCAN ") && !$0.hasPrefix("SCAN w") && $0 != "SCAN CONSTANT ROW" },
                "\(statement)\n\(plan)")
        }
        let reports = try database.query("EXPLAIN QUERY PLAN " + Statements.reports(table)).compactMap { $0.last?.text }
        #expect(
            reports.contains { $0.contains("\(table)_sender (sender=? AND arrived>? AND arrived<?)") }, "\(reports)")
        #expect(!reports.contains { $0.contains("TEMP B-TREE") }, "\(reports)")
    }

    @Test func aFullDiskTakesNothingAndRecovers() throws {
        let made = try StoreKind.sqlite.make()
        let database = try Database(made.path, .writing)
        let writer = try SQLiteReportWriter(database, Retention())
        #expect(try writer.commit([Samples.batch([1])])[0].new == 1)
        try database.execute("PRAGMA max_page_count = 40")
        let large = IncomingReport(sequence: 2, state: nil, wall: nil, text: String(repeating: "x", count: 200_000))
        let batch = IncomingBatch(ReportSource(box: "b-1", boot: Samples.boot), [large], arrived: Samples.noon)
        #expect(thrown(DatabaseError.self) { try writer.commit([Samples.batch([3]), batch]) }?.kind == .full)
        // Of that group nothing is there, and the writer does not believe that it is.
        #expect(try writer.commit([Samples.batch([3])])[0].new == 1)
        try database.execute("PRAGMA max_page_count = 100000")
        #expect(try writer.commit([batch])[0].new == 1)
        #expect(try made.store.openReader().gaps("b-1", 1)[0].missing == 0)
    }

    @Test func aFileThatIsGoneIsNotWritten() throws {
        let made = try StoreKind.sqlite.make()
        let writer = try made.store.openWriter()
        _ = try writer.commit([Samples.batch([1])])
        let reader = try made.store.openReader()
        try FileManager.default.moveItem(atPath: made.path, toPath: made.path + ".away")
        #expect(refusal { _ = try writer.commit([Samples.batch([2])]) } == .gone)
        #expect(refusal { _ = try made.store.openWriter() } == .gone)
        #expect(refusal { _ = try reader.latest("", 1) } == .gone)
        #expect(!FileManager.default.fileExists(atPath: made.path))
        try FileManager.default.moveItem(atPath: made.path + ".away", toPath: made.path)
        #expect(try made.store.openWriter().commit([Samples.batch([1, 2])])[0].known == 1)
    }

    @Test func somebodyElseKeepsIt() throws {
        let made = try StoreKind.sqlite.make()
        let database = try Database(made.path, .writing)
        try database.execute("PRAGMA busy_timeout = 1")
        let writer = try SQLiteReportWriter(database, Retention())
        let other = try Database(made.path, .writing)
        try other.execute("BEGIN IMMEDIATE")
        #expect(thrown(DatabaseError.self) { try writer.commit([Samples.batch([1])]) }?.kind == .busy)
        try other.execute("COMMIT")
        #expect(try writer.commit([Samples.batch([1])])[0].new == 1)
    }

    @Test func tablesOfALaterVersionAreLeftAlone() throws {
        let made = try StoreKind.sqlite.make()
        let versions = [
            SQLiteReportTables.statements, SQLiteReportTables.alertStatements, SQLiteVenueTables.statements,
        ]
        try Database(made.path).migrate(versions)  // nothing to do
        try Database(made.path).execute("PRAGMA user_version = 7")
        let error = thrown(DatabaseError.self) { try Database(made.path).migrate(versions) }
        #expect(error?.description.contains("version 7") == true)
        try FileManager.default.removeItem(atPath: made.path)
        _ = try Database(made.path)
        #expect(refusal { _ = try made.store.openWriter() } == .other)
    }
}
