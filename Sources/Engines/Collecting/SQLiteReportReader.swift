// SPDX-License-Identifier: Apache-2.0
import Database
import Time

/// Reads reports from SQLite. No statement of it reads a whole table of reports or sums; a test has SQLite say so.
/// - Thread: the one that made it.
final class SQLiteReportReader {
    enum Statements {
        static let latest = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.boxGroup, l.version, l.state
            FROM senders s JOIN latest l ON l.sender = s.sender WHERE s.box > ? ORDER BY s.box LIMIT ?
            """
        static let latestOf = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.boxGroup, l.version, l.state, l.report
            FROM senders s JOIN latest l ON l.sender = s.sender WHERE s.box = ?
            """
        static let starts = """
            SELECT t.start, t.boot, t.began FROM senders s JOIN starts t ON t.sender = s.sender
            WHERE s.box = ? ORDER BY t.start DESC LIMIT ?
            """
        static let received = "SELECT first, last FROM received WHERE start = ? ORDER BY first"

        /// - Parameter boxes: how many boxes' reports are shown together.
        static func reports(_ table: String, boxes: Int = 1) -> String {
            let places = Array(repeating: "?", count: boxes).joined(separator: ", ")
            return """
                SELECT r.number, r.arrived, r.sequence, r.wall, r.isState, r.report, t.boot, s.box
                FROM senders s JOIN \(table) r ON r.sender = s.sender JOIN starts t ON t.start = r.start
                WHERE s.box IN (\(places)) AND r.arrived >= ? AND r.arrived < ? AND (r.arrived > ? OR r.number > ?)
                ORDER BY r.arrived, r.number LIMIT ?
                """
        }

        static func air(_ subject: AirQuery.Subject, _ resolution: Retention.Resolution) -> String {
            let sums = ["packets", "lost", "windows", "failedWindows", "seconds", "signalSum", "signalSeconds"].map {
                "CAST(total(a.\($0)) AS INTEGER)"
            }.joined(separator: ", ")
            let table = SQLiteReportTables.air(resolution)
            switch subject {
            case .accessPoint:
                return """
                    SELECT a.bssid, min(p.name), min(p.ssid), NULL, \(sums)
                    FROM \(table) a LEFT JOIN accessPoints p ON p.bssid = a.bssid
                    WHERE a.time >= ? AND a.time < ? GROUP BY a.bssid ORDER BY a.bssid LIMIT ?
                    """
            case .channel:
                return """
                    SELECT NULL, NULL, NULL, a.channel, \(sums) FROM \(table) a
                    WHERE a.time >= ? AND a.time < ? GROUP BY a.channel ORDER BY a.channel LIMIT ?
                    """
            }
        }
    }

    /// Reports that are read at a time, so that texts beyond the bound of a page are not read.
    private static let portion = 64

    let database: Database

    init(_ database: Database) { self.database = database }

    func query(
        _ statement: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [[Database.Value]] {
        guard !database.hasMoved else {
            throw DatabaseError(.gone, description: "the file has been removed or renamed")
        }
        return try database.query(statement, values)
    }

    // MARK: Boxes

    func latest(after box: String, _ limit: Int) throws(DatabaseError) -> [LatestState] {
        try query(Statements.latest, [.text(box), .integer(Int64(limit))]).compactMap(Self.state)
    }

    func latest(of box: String) throws(DatabaseError) -> LatestState? {
        try query(Statements.latestOf, [.text(box)]).first.flatMap(Self.state)
    }

    static func state(_ row: [Database.Value]) -> LatestState? {
        guard let box = row[0].text, let boot = row[1].text, let sequence = row[2].integer, let arrived = row[3].integer
        else { return nil }
        return LatestState(
            source: ReportSource(box: box, boot: boot), sequence: sequence, arrived: WallTime(milliseconds: arrived),
            wall: row[4].integer.map { WallTime(milliseconds: $0) },
            summary: IncomingReport.Summary(
                name: row[5].text, group: row[6].text, version: row[7].text, state: row[8].text),
            text: row.count > 9 ? row[9].text : nil)
    }

    func gaps(of box: String, _ limit: Int) throws(DatabaseError) -> [StartGaps] {
        var starts: [StartGaps] = []
        for row in try query(Statements.starts, [.text(box), .integer(Int64(limit))]) {
            guard let number = row[0].integer, let boot = row[1].text, let began = row[2].integer else { continue }
            let received = ReceivedSequences(try SQLiteReportTables.received(database, start: number))
            starts.append(
                StartGaps(
                    boot: boot, began: WallTime(milliseconds: began), last: received.ranges.last?.upperBound ?? 0,
                    missing: received.missing, ranges: received.gaps(limit: 100)))
        }
        return starts
    }

    // MARK: Reports

    func reports(_ wanted: ReportQuery) throws(DatabaseError) -> ReportPage {
        var page = ReportPage([], hasMore: false)
        var place = wanted.after
        let first = max(wanted.span.lowerBound, place?.arrived ?? wanted.span.lowerBound)
        guard first < wanted.span.upperBound else { return page }
        let days = try SQLiteReportTables.days(of: database).filter {
            $0 >= Retention.day(of: first) && $0 <= Retention.day(of: wanted.span.upperBound)
        }
        for day in days {
            while true {
                let rows = try portion(of: day, wanted, behind: place)
                guard page.append(rows, for: wanted) else { return page }
                guard rows.count == Self.portion else { break }
                place = rows.last?.place
            }
            // The next day counts its rows from 1 again.
            place = nil
        }
        return page
    }

    private func portion(
        of day: Int64, _ wanted: ReportQuery, behind place: ReportPlace?
    ) throws(DatabaseError) -> [KeptReport] {
        let begin = max(wanted.span.lowerBound.milliseconds, place?.arrived.milliseconds ?? .min)
        let boxes = [wanted.box] + wanted.predecessors
        let rows = try query(
            Statements.reports(SQLiteReportTables.reports(day: day), boxes: boxes.count),
            boxes.map { .text($0) } + [
                .integer(begin), .integer(wanted.span.upperBound.milliseconds),
                .integer(place?.arrived.milliseconds ?? .min), .integer(place?.number ?? .min),
                .integer(Int64(Self.portion)),
            ])
        return rows.compactMap { row in
            guard let number = row[0].integer, let arrived = row[1].integer, let sequence = row[2].integer,
                let isState = row[4].integer, let text = row[5].text, let boot = row[6].text, let box = row[7].text
            else { return nil }
            return KeptReport(
                source: ReportSource(box: box, boot: boot), sequence: sequence, isState: isState != 0,
                wall: row[3].integer.map { WallTime(milliseconds: $0) },
                place: ReportPlace(arrived: WallTime(milliseconds: arrived), number: number), text: text)
        }
    }

    // MARK: Sums

    func air(_ wanted: AirQuery) throws(DatabaseError) -> [AirRow] {
        let rows = try query(
            Statements.air(wanted.subject, wanted.resolution),
            [
                .integer(Retention.begin(of: wanted.span.lowerBound, wanted.resolution)),
                .integer(wanted.span.upperBound.milliseconds), .integer(Int64(wanted.limit)),
            ])
        return rows.map(Self.airRow)
    }

    /// Address, names and channel, and the sums behind them.
    static func airRow(_ row: [Database.Value]) -> AirRow {
        var sums = AirSums()
        sums.packets = row[4].integer ?? 0
        sums.lost = row[5].integer ?? 0
        sums.windows = row[6].integer ?? 0
        sums.failedWindows = row[7].integer ?? 0
        sums.seconds = row[8].integer ?? 0
        sums.signalSum = row[9].integer ?? 0
        sums.signalSeconds = row[10].integer ?? 0
        return AirRow(bssid: row[0].text, name: row[1].text, ssid: row[2].text, channel: row[3].integer, sums)
    }
}
