// SPDX-License-Identifier: Apache-2.0
import Database
import Reports
import Time

/// Writes reports into SQLite. What it remembers of the tables spares it reading them; after an error it forgets all of it.
/// - Thread: the one that made it.
final class SQLiteReportWriter {
    private struct Start {
        let number: Int64
        let sender: Int64
        var received: ReceivedSequences
    }

    /// Starts that are remembered. Each has few octets unless much of it is missing.
    private static let mostStarts = 20_000

    let database: Database
    let retention: Retention
    private var starts: [ReportSource: Start] = [:]
    /// By the boxes' numbers; nil if a box has none yet.
    private var latest: [Int64: Newness?] = [:]
    private var accessPoints: [String: [String?]] = [:]
    /// Days whose tables are there.
    private var days: Set<Int64> = []
    private var boxCount: Int64?
    private let venues: SQLiteVenueWriter

    init(_ database: Database, _ retention: Retention) throws(DatabaseError) {
        self.database = database
        self.retention = retention
        venues = SQLiteVenueWriter(database)
        _ = try database.query("SELECT 1 FROM latest LIMIT 1")  // else the tables are missing
    }

    func commit(_ batches: [IncomingBatch]) throws(DatabaseError) -> [BatchOutcome] {
        guard !database.hasMoved else {
            throw DatabaseError(.gone, description: "the file has been removed or renamed")
        }
        var outcomes: [BatchOutcome] = []
        do throws(DatabaseError) {
            try database.transaction { () throws(DatabaseError) in
                var (air, boxes) = (AirGroup(), BoxGroup())
                for batch in batches { outcomes.append(try keep(batch, &air, &boxes)) }
                try write(air)
                try SQLiteBoxSums.write(boxes, database)
                // Something is written in any case, so that the disk has its say.
                if batches.isEmpty { try database.execute("PRAGMA application_id = \(SQLiteReportTables.application)") }
            }
        } catch {
            forget()
            throw error
        }
        return outcomes
    }

    /// Does a part of what is to be thrown away.
    func keepUp(at now: WallTime) throws(DatabaseError) -> Bool {
        do throws(DatabaseError) {
            return try SQLiteUpkeep(database, retention).portion(at: now) { day in days.remove(day) }
        } catch {
            forget()
            throw error
        }
    }

    private func forget() {
        starts = [:]
        latest = [:]
        accessPoints = [:]
        days = []
        boxCount = nil
        venues.forget()
    }

    // MARK: Reports

    private func keep(
        _ batch: IncomingBatch, _ air: inout AirGroup, _ boxes: inout BoxGroup
    ) throws(DatabaseError) -> BatchOutcome {
        guard var start = try start(batch) else { return BatchOutcome(refusing: batch) }
        let before = start.received
        let table = try table(of: batch.arrived)
        let insert = """
            INSERT INTO \(table) (sender, start, sequence, arrived, wall, isState, report) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        let (outcome, new) = BatchOutcome.judging(batch, by: &start.received)
        for report in new {
            try database.execute(
                insert,
                [
                    .integer(start.sender), .integer(start.number), .integer(report.sequence),
                    .integer(batch.arrived.milliseconds), .optional(report.wall?.milliseconds),
                    .integer(report.state == nil ? 0 : 1), .text(report.text),
                ])
            for count in report.air {
                air.add(count, at: batch.arrived)
                boxes.add(count.sums, of: start.sender, at: batch.arrived)
            }
            if let venue = report.venue { try keep(venue, report, batch, start) }
        }
        try write(start.received.changes(since: before), of: start.number)
        if let newest = new.filter({ $0.state != nil }).max(by: { $0.sequence < $1.sequence }) {
            try write(newest, batch, start.sender)
        }
        starts[batch.source] = start
        return outcome
    }

    /// A venue beyond those that a store keeps is not unpacked.
    private func keep(
        _ venue: VenueReport, _ report: IncomingReport, _ batch: IncomingBatch, _ start: Start
    ) throws(DatabaseError) {
        let new = Newness(batch, report)
        let isCurrent = try latest(of: start.sender).map { new.boot == $0.boot || new.isNewer(than: $0) } ?? true
        _ = try venues.keep(
            venue, of: start.sender, start: start.number, sequence: report.sequence, isCurrent: isCurrent)
    }

    private func write(
        _ changes: (removed: [Int64], written: [ClosedRange<Int64>]), of start: Int64
    ) throws(DatabaseError) {
        for first in changes.removed {
            try database.execute(
                "DELETE FROM received WHERE start = ? AND first = ?", [.integer(start), .integer(first)])
        }
        for range in changes.written {
            try database.execute(
                "INSERT INTO received VALUES (?, ?, ?) ON CONFLICT (start, first) DO UPDATE SET last = excluded.last",
                [.integer(start), .integer(range.lowerBound), .integer(range.upperBound)])
        }
    }

    private func write(_ report: IncomingReport, _ batch: IncomingBatch, _ sender: Int64) throws(DatabaseError) {
        let new = Newness(batch, report)
        if let old = try latest(of: sender), !new.isNewer(than: old) { return }
        let summary = report.state ?? IncomingReport.Summary()
        try database.execute(
            "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(sender), .text(new.boot), .integer(new.sequence), .integer(new.arrived.milliseconds),
                .optional(new.wall?.milliseconds), .optional(summary.name), .optional(summary.group),
                .optional(summary.version), .optional(summary.state), .text(report.text),
            ])
        latest[sender] = .some(new)
    }

    private func latest(of sender: Int64) throws(DatabaseError) -> Newness? {
        if let kept = latest[sender] { return kept }
        if latest.count >= ReportStore.mostBoxes { latest = [:] }
        let row = try database.query(
            "SELECT boot, sequence, wall, arrived FROM latest WHERE sender = ?", [.integer(sender)]
        ).first
        let found: Newness? = row.flatMap { row in
            guard let boot = row[0].text, let sequence = row[1].integer, let arrived = row[3].integer else {
                return nil
            }
            return Newness(
                boot: boot, sequence: sequence, wall: row[2].integer.map { WallTime(milliseconds: $0) },
                arrived: WallTime(milliseconds: arrived))
        }
        latest[sender] = .some(found)
        return found
    }

    private func table(of time: WallTime) throws(DatabaseError) -> String {
        let day = Retention.day(of: time)
        if !days.contains(day) {
            for statement in SQLiteReportTables.makeReports(day: day) { try database.execute(statement) }
            days.insert(day)
        }
        return SQLiteReportTables.reports(day: day)
    }

    // MARK: Starts

    /// nil if there are too many boxes.
    private func start(_ batch: IncomingBatch) throws(DatabaseError) -> Start? {
        let source = batch.source
        if let kept = starts[source] { return kept }
        if starts.count >= Self.mostStarts { starts = [:] }
        guard let sender = try sender(source.box) else { return nil }
        let values: [Database.Value] = [.integer(sender), .text(source.boot)]
        let find = "SELECT start FROM starts WHERE sender = ? AND boot = ?"
        guard let number = try database.query(find, values).first?.first?.integer else {
            try database.execute(
                "INSERT INTO starts (sender, boot, began) VALUES (?, ?, ?)",
                values + [.integer(batch.arrived.milliseconds)])
            return Start(number: database.lastRow, sender: sender, received: ReceivedSequences())
        }
        let ranges = try SQLiteReportTables.received(database, start: number)
        return Start(number: number, sender: sender, received: ReceivedSequences(ranges))
    }

    private func sender(_ box: String) throws(DatabaseError) -> Int64? {
        if let number = try database.query("SELECT sender FROM senders WHERE box = ?", [.text(box)]).first?.first?
            .integer
        {
            return number
        }
        if boxCount == nil { boxCount = try database.query("SELECT count(*) FROM senders").first?.first?.integer }
        let count = boxCount ?? 0
        guard count < ReportStore.mostBoxes else { return nil }
        try database.execute("INSERT INTO senders (box) VALUES (?)", [.text(box)])
        boxCount = count + 1
        return database.lastRow
    }

    // MARK: Access points

    private func write(_ air: AirGroup) throws(DatabaseError) {
        for (bssid, names) in air.names where accessPoints[bssid] != names {
            if accessPoints.count >= ReportStore.mostBoxes { accessPoints = [:] }
            try database.execute(
                "INSERT OR REPLACE INTO accessPoints VALUES (?, ?, ?)",
                [.text(bssid), .optional(names[0]), .optional(names[1])])
            accessPoints[bssid] = names
        }
        for resolution in Retention.Resolution.allCases {
            for (key, sums) in air.sums(of: resolution) {
                try database.execute(
                    Self.add(to: SQLiteReportTables.air(resolution)),
                    [
                        .integer(key.time), .text(key.place.bssid), .integer(key.place.channel), .integer(sums.packets),
                        .integer(sums.lost), .integer(sums.windows), .integer(sums.failedWindows),
                        .integer(sums.seconds), .integer(sums.signalSum), .integer(sums.signalSeconds),
                    ])
            }
        }
    }

    private static func add(to table: String) -> String {
        """
        INSERT INTO \(table) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (time, bssid, channel) DO UPDATE SET \(SQLiteReportTables.adding(SQLiteBoxSums.columns))
        """
    }
}

extension SQLiteReportTables {
    /// Adds to what a row has. Each number stays within ±2⁶⁰, so that no sum of two leaves the integers.
    static func adding(_ columns: [String]) -> String {
        columns.map { "\($0) = max(-\(Int64.most), min(\(Int64.most), \($0) + excluded.\($0)))" }
            .joined(separator: ", ")
    }

    /// The sequences of a start that were kept.
    static func received(_ database: Database, start: Int64) throws(DatabaseError) -> [ClosedRange<Int64>] {
        try database.query("SELECT first, last FROM received WHERE start = ? ORDER BY first", [.integer(start)])
            .compactMap { row in
                guard let first = row[0].integer, let last = row[1].integer, first <= last else { return nil }
                return first...last
            }
    }
}
