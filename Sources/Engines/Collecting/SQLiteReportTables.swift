// SPDX-License-Identifier: Apache-2.0
import Database
import Time

/// The tables of reports in SQLite. Times are milliseconds since 1970.
public enum SQLiteReportTables {
    /// Tells file(1) whose database it is: "TLRP".
    static let application = 0x544c_5250

    /// The statements that make them.
    public static let statements =
        [
            // One row for each box that ever sent a report.
            "CREATE TABLE senders (sender INTEGER PRIMARY KEY, box TEXT NOT NULL UNIQUE) STRICT",
            // One for each of its starts. Rows stay for ever.
            """
            CREATE TABLE starts (
                start INTEGER PRIMARY KEY, sender INTEGER NOT NULL REFERENCES senders(sender), boot TEXT NOT NULL,
                began INTEGER NOT NULL, UNIQUE (sender, boot)) STRICT
            """,
            // Which sequences of a start were ever kept. Rows stay for ever; a start without a gap has one.
            """
            CREATE TABLE received (
                start INTEGER NOT NULL REFERENCES starts(start), first INTEGER NOT NULL, last INTEGER NOT NULL,
                PRIMARY KEY (start, first)) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE latest (
                sender INTEGER PRIMARY KEY REFERENCES senders(sender), boot TEXT NOT NULL, sequence INTEGER NOT NULL,
                arrived INTEGER NOT NULL, wall INTEGER, name TEXT, boxGroup TEXT, version TEXT, state TEXT,
                report TEXT NOT NULL) STRICT
            """,
            "CREATE TABLE accessPoints (bssid TEXT PRIMARY KEY, name TEXT, ssid TEXT) STRICT, WITHOUT ROWID",
        ]
        + Retention.Resolution.allCases.map { resolution in
            """
            CREATE TABLE \(air(resolution)) (
                time INTEGER NOT NULL, bssid TEXT NOT NULL, channel INTEGER NOT NULL, packets INTEGER NOT NULL,
                lost INTEGER NOT NULL, windows INTEGER NOT NULL, failedWindows INTEGER NOT NULL, seconds INTEGER NOT NULL,
                signalSum INTEGER NOT NULL, signalSeconds INTEGER NOT NULL,
                PRIMARY KEY (time, bssid, channel)) STRICT, WITHOUT ROWID
            """
        }

    /// The table of sums over access points.
    static func air(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "airMinutes" : "airHours"
    }

    /// The table of the reports of one day, as `reports_20260512`.
    static func reports(day: Int64) -> String {
        "reports_" + WallTime(milliseconds: day * Retention.dayMilliseconds).description.prefix(10).filter { $0 != "-" }
    }

    /// The day of such a table; nil for another name.
    static func day(ofTable name: String) -> Int64? {
        let digits = name.dropFirst("reports_".count)
        guard name.hasPrefix("reports_"), digits.count == 8 else { return nil }
        let (year, month, day) = (digits.prefix(4), digits.dropFirst(4).prefix(2), digits.suffix(2))
        return WallTime(rfc3339: "\(year)-\(month)-\(day)T00:00:00Z").map { Retention.day(of: $0) }
    }

    /// The days that have a table, ascending.
    static func days(of database: Database) throws(DatabaseError) -> [Int64] {
        try database.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'reports_[0-9]*'")
            .compactMap { $0.first?.text.flatMap(day(ofTable:)) }.sorted()
    }

    static func makeReports(day: Int64) -> [String] {
        let table = reports(day: day)
        return [
            """
            CREATE TABLE IF NOT EXISTS \(table) (
                number INTEGER PRIMARY KEY, sender INTEGER NOT NULL, start INTEGER NOT NULL, sequence INTEGER NOT NULL,
                arrived INTEGER NOT NULL, wall INTEGER, isState INTEGER NOT NULL, report TEXT NOT NULL) STRICT
            """,
            "CREATE INDEX IF NOT EXISTS \(table)_sender ON \(table) (sender, arrived)",
        ]
    }
}
