// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import TestSupport
import Testing
import Time

@testable import Collecting

@Suite(.enabled(if: PostgresServer.isThere)) struct PostgresStoreTests {
    private static let ever = WallTime(nanoseconds: 0)..<Samples.time(1 << 20)

    private func connection(_ made: MadeStore) throws -> ClusterConnection {
        try ClusterConnection(try ClusterAddress(made.path))
    }

    /// No question reads a table from one end to the other, and one about a box reads the days that it is about.
    @Test func everyQuestionHasAnIndex() throws {
        let made = try StoreKind.postgres.make()
        _ = try made.store.openWriter().commit([Samples.batch([1]), Samples.batch([2], at: 5 * 86_400)])
        let connection = try connection(made)
        // Of few rows it would rather read all.
        try connection.run("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan")
        func plan(_ statement: String, _ values: [ClusterValue]) throws -> String {
            try connection.query("EXPLAIN " + statement, values).compactMap { $0[0] }.joined(separator: "\n")
        }
        typealias Reading = PostgresReportReader.Statements
        typealias Writing = PostgresReportWriter.Statements
        let (box, one, ids, texts) = (
            ClusterValue.text("b-1"), ClusterValue.integer(1), ClusterValue.array([1]), ClusterValue.array(["b-1"])
        )
        var plans = [
            try plan(Reading.latest, [box, one]), try plan(Reading.latestOf, [box]),
            try plan(Reading.starts, [box, one]),
            try plan(Reading.sender, [box]), try plan(Writing.starts, [ids, texts]), try plan(Writing.latest, [ids]),
            try plan(Writing.addStarts, [ids, texts, ids]), try plan(Writing.grow, [ids, texts, texts]),
        ]
        typealias Alerts = PostgresAlerts.Statements
        for state in AlertQuery.State.allCases { plans.append(try plan(Alerts.list(state), [box, one])) }
        plans += [
            try plan(Alerts.states, [one, one, one]), try plan(Alerts.open, []), try plan(Alerts.waiting, [box, one]),
            try plan(Alerts.forget, [one]),
        ]
        for resolution in Retention.Resolution.allCases {
            plans.append(try plan(PostgresBoxSums.read(resolution), [one, one, one]))
            plans.append(try plan(Reading.air(.accessPoint, resolution), [one, one, one]))
            plans.append(try plan(Reading.air(.channel, resolution), [one, one, one]))
        }
        let (begin, end) = (Samples.noon.milliseconds, Samples.time(60).milliseconds)
        let reports = try plan(Reading.reports, [one, .integer(begin), .integer(end), .integer(0), .integer(0), one])
        plans.append(reports)
        for plan in plans { #expect(!plan.contains("Seq Scan") && plan.contains("Index"), "\(plan)") }
        #expect(reports.contains("(sender = "), "\(reports)")
        let later = PostgresReportTables.reports(day: Retention.day(of: Samples.time(5 * 86_400)))
        #expect(!reports.contains(later) || reports.contains("Subplans Removed"), "\(reports)")
        #expect(!reports.contains("Sort"), "\(reports)")
    }

    /// Reporters get parts of the same starts, some of them twice, over midnight: nothing is there twice, nothing is missing,
    /// and every sum is right.
    @Test func severalReportersWriteAtOnce() async throws {
        let made = try StoreKind.postgres.make()
        let (reporters, boxes, last) = (3, 5, 400)
        let store = made.store
        try await withThrowingTaskGroup(of: Int.self) { group in
            for reporter in 0..<reporters {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(reporter + 1))
                    let writer = try store.openWriter()
                    var new = 0
                    // Each has two thirds of all, so that many come to two of them.
                    let sequences = (1...Int64(last)).filter { Int($0) % reporters != reporter }.shuffled(
                        using: &random)
                    for begin in stride(from: 0, to: sequences.count, by: 20) {
                        let part = sequences[begin..<min(sequences.count, begin + 20)].sorted()
                        let batches = (0..<boxes).shuffled(using: &random).map { box in
                            let air = [Samples.air("aa", 36, packets: 1, lost: 0, signal: -60)]
                            return IncomingBatch(
                                ReportSource(box: "b-\(box)", boot: Samples.boot),
                                part.map { Samples.report($0, air: air) },
                                arrived: Samples.time(Int64(begin) * 200))
                        }
                        for (batch, outcome) in zip(batches, try writer.commit(batches)) {
                            new += outcome.new
                            let acknowledged = outcome.acknowledged.reduce(0) { $0 + $1.count }
                            guard acknowledged == batch.reports.count else {
                                throw StoreError(.other, "\(outcome)")
                            }
                        }
                    }
                    return new
                }
            }
            let new = try await group.reduce(0, +)
            #expect(new == boxes * last)
        }
        let reader = try made.store.openReader()
        for box in 0..<boxes {
            let page = try reader.reports(ReportQuery(box: "b-\(box)", span: Self.ever, limit: 10_000))
            #expect(page.reports.map(\.sequence).sorted() == Array(1...Int64(last)))
            #expect(try reader.gaps("b-\(box)", 9).map(\.missing) == [0])
            #expect(try reader.latestOf("b-\(box)")?.sequence == Int64(last))
        }
        for resolution in Retention.Resolution.allCases {
            let air = try reader.air(AirQuery(.channel, Self.ever, resolution, limit: 9))
            #expect(air.map(\.sums.packets) == [Int64(boxes * last)])
        }
    }

    /// Tables are made once, whoever comes first.
    @Test func severalReportersBeginAtOnce() async throws {
        let made = try StoreKind.postgres.make()
        let store = made.store
        try await withThrowingTaskGroup(of: Int.self) { group in
            for reporter in 0..<4 {
                group.addTask { try store.openWriter().commit([Samples.batch([1, Int64(reporter + 2)])])[0].new }
            }
            let new = try await group.reduce(0, +)
            #expect(new == 5)
        }
    }

    @Test func connectionsThatEndAreMadeAnew() throws {
        let made = try StoreKind.postgres.make()
        let (writer, reader) = (try made.store.openWriter(), try made.store.openReader())
        _ = try writer.commit([Samples.batch([1])])
        for sequence in 2...4 as ClosedRange<Int64> {
            try connection(made).execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            #expect(try writer.commit([Samples.batch([sequence - 1, sequence])])[0].new == 1)
            #expect(try reader.gaps("b-1", 1)[0].last == sequence)
        }
    }

    @Test func whoeverOnlyReadsIsNotWritten() throws {
        let made = try StoreKind.postgres.make()
        let writer = try made.store.openWriter()
        _ = try writer.commit([Samples.batch([1])])
        let other = try connection(made)
        let name = try #require(try other.query("SELECT current_database()")[0][0])
        try other.run("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        try other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
            [.text(name)])
        let error = thrown(StoreError.self) { _ = try writer.commit([Samples.batch([2])]) }
        #expect(error?.kind == .gone, "\(String(describing: error))")
        // The pause between attempts has its say as well.
        #expect(thrown(StoreError.self) { _ = try made.store.openWriter() }?.kind == .gone)
        try other.run(
            "SET default_transaction_read_only = off; ALTER DATABASE \(name) RESET default_transaction_read_only")
        let again = try ReportStore.postgres(try ClusterAddress(made.path)).openWriter()
        #expect(try again.commit([Samples.batch([1, 2])])[0].new == 1)
    }

    @Test func tablesOfALaterVersionAreLeftAlone() throws {
        let made = try StoreKind.postgres.make()
        _ = try made.store.openWriter()
        try connection(made).run("UPDATE touchline_schema SET version = 7")
        let error = thrown(StoreError.self) { _ = try made.store.openWriter() }
        #expect(error?.kind == .other && error?.description.contains("version 7") == true)
    }

    /// JSON may have what PostgreSQL's texts may not.
    @Test func everyTextIsTaken() throws {
        let made = try StoreKind.postgres.make()
        var report = Samples.report(
            1, air: [AirCount(.init(bssid: "a\0", channel: 1), name: "\0{\"\\", ssid: "x,\0\n", AirSums())])
        report = IncomingReport(
            sequence: 1, state: .init(name: "\0", group: "{\"a\\\",b}", version: "NULL", state: ""), wall: nil,
            text: "{\"\0\t\\N\"}", air: report.air)
        _ = try made.store.openWriter().commit([
            IncomingBatch(ReportSource(box: "b-1", boot: Samples.boot), [report], arrived: Samples.noon)
        ])
        let latest = try #require(try made.store.openReader().latestOf("b-1"))
        #expect(latest.summary == .init(name: "\u{fffd}", group: "{\"a\\\",b}", version: "NULL", state: ""))
        #expect(latest.text == "{\"\u{fffd}\t\\N\"}")
    }

    /// Days have their tables before they begin, and one reporter at a time throws away.
    @Test func upkeepIsOneReporters() throws {
        let made = try StoreKind.postgres.make()
        let writer = try made.store.openWriter()
        _ = try writer.commit([Samples.batch([1])])
        let other = try connection(made)
        try other.execute("BEGIN")
        #expect(try PostgresReportTables.tryLock(.upkeep, other))
        let later = Samples.time(9 * 86_400)
        #expect(try !writer.keepUp(later))
        let days = try PostgresReportTables.days(of: other)
        let today = Retention.day(of: later)
        #expect(days == [Retention.day(of: Samples.noon), today, today + 1, today + 2])
        try other.execute("COMMIT")
        #expect(try writer.keepUp(later))
        #expect(try !writer.keepUp(later))
        #expect(try PostgresReportTables.days(of: other) == [today, today + 1, today + 2])
    }

    /// A disk that is full is told apart, and the writer does not believe that anything is there.
    @Test func aFailedTransactionLeavesNothing() throws {
        let made = try StoreKind.postgres.make()
        let writer = try made.store.openWriter()
        _ = try writer.commit([Samples.batch([1])])
        let other = try connection(made)
        try other.run(
            """
            CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER no_room BEFORE UPDATE ON latest FOR EACH ROW EXECUTE FUNCTION no_room()
            """)
        #expect(thrown(StoreError.self) { _ = try writer.commit([Samples.batch([2, 3])]) }?.kind == .full)
        try other.run("DROP TRIGGER no_room ON latest")
        #expect(try writer.commit([Samples.batch([2, 3])])[0].new == 2)
    }

    @Test func hostsThatAreAwayAreNotAskedForEachRequest() {
        var gate = ClusterGate()
        let gone = StoreError(.gone, "x")
        var now = Monotonic(nanoseconds: 0)
        var pauses: [Nanoseconds] = []
        for _ in 0..<6 {
            #expect(gate.refusal(at: now) == nil)
            gate.failed(gone, at: now)
            let begin = now
            while gate.refusal(at: now) == gone { now += .milliseconds(50) }
            pauses.append(now - begin)
        }
        #expect(
            pauses == [
                .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1),
                .seconds(1),
            ])
        gate.failed(gone, at: now)
        gate.succeeded()
        #expect(gate.refusal(at: now) == nil)
    }
}
