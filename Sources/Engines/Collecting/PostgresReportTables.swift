// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Time

/// The tables of reports in PostgreSQL. Times are milliseconds since 1970. Several reporters write them at the same time.
enum PostgresReportTables {
    /// Locks that reporters take of the whole database, so that one of them at a time does it: "TLRP" and a number.
    enum Lock: Int64 {
        case migration = 0x544c_5250_0001
        case days = 0x544c_5250_0002
        case upkeep = 0x544c_5250_0003
        /// Held by the connection of the reporter that tells alerts.
        case alerts = 0x544c_5250_0004
    }

    /// The statements that lead from each version to the next.
    static let versions: [[String]] = [first, second, ofVenues]

    /// Sums of one minute are in several rows, one for each shard, so that reporters do not wait for each other's commits.
    static let shards: Int64 = 16

    static let sums = [
        "packets", "lost", "windows", "failed_windows", "seconds", "signal_sum", "signal_seconds",
    ]

    private static let first =
        [
            // One row for each box that ever sent a report. Whoever writes anything of a box locks its row first.
            """
            CREATE TABLE senders (
                sender bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, box text COLLATE "C" NOT NULL UNIQUE)
            WITH (fillfactor = 70)
            """,
            // One for each of its starts, with the sequences that were ever kept, as ranges with both ends. Rows stay for ever.
            """
            CREATE TABLE starts (
                start bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                sender bigint NOT NULL REFERENCES senders(sender), boot text COLLATE "C" NOT NULL, began bigint NOT NULL,
                firsts bigint[] NOT NULL, lasts bigint[] NOT NULL, UNIQUE (sender, boot)) WITH (fillfactor = 70)
            """,
            """
            CREATE TABLE latest (
                sender bigint PRIMARY KEY REFERENCES senders(sender), boot text COLLATE "C" NOT NULL,
                sequence bigint NOT NULL, arrived bigint NOT NULL, wall bigint, name text, box_group text, version text,
                state text, report text NOT NULL) WITH (fillfactor = 70)
            """,
            """
            CREATE TABLE reports (
                number bigint GENERATED ALWAYS AS IDENTITY, sender bigint NOT NULL, start bigint NOT NULL,
                sequence bigint NOT NULL, arrived bigint NOT NULL, wall bigint, is_state boolean NOT NULL,
                report text NOT NULL) PARTITION BY RANGE (arrived)
            """,
            "CREATE INDEX reports_sender ON reports (sender, arrived, number)",
            "CREATE TABLE access_points (bssid text COLLATE \"C\" PRIMARY KEY, name text, ssid text)",
        ]
        + Retention.Resolution.allCases.map { resolution in
            """
            CREATE TABLE \(air(resolution)) (
                time bigint NOT NULL, bssid text COLLATE "C" NOT NULL, channel bigint NOT NULL, shard bigint NOT NULL,
                \(sums.map { "\($0) bigint NOT NULL" }.joined(separator: ", ")),
                PRIMARY KEY (time, bssid, channel, shard))
            """
        }

    /// The table of sums over access points.
    static func air(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "air_minutes" : "air_hours"
    }

    /// Makes the tables, or brings them forward.
    /// - Throws: `.other` if a later program made them.
    static func migrate(_ connection: ClusterConnection) throws(ClusterError) {
        try connection.migrate(versions, of: "touchline_schema", lock: Lock.migration.rawValue)
    }

    /// Waits for the lock, which ends with the transaction.
    static func lock(_ lock: Lock, _ connection: ClusterConnection) throws(ClusterError) {
        try connection.execute("SELECT pg_advisory_xact_lock($1)", [.integer(lock.rawValue)])
    }

    static func tryLock(_ lock: Lock, _ connection: ClusterConnection) throws(ClusterError) -> Bool {
        try connection.query("SELECT pg_try_advisory_xact_lock($1)", [.integer(lock.rawValue)]).first?.first == "t"
    }

    // MARK: Days

    /// The table of the reports of one day, as `reports_20260512`.
    static func reports(day: Int64) -> String { SQLiteReportTables.reports(day: day) }

    /// The days that have a table, ascending.
    static func days(of connection: ClusterConnection) throws(ClusterError) -> [Int64] {
        try connection.query(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass('reports')
            """
        ).compactMap { $0.first.flatMap { $0 }.flatMap { SQLiteReportTables.day(ofTable: $0) } }.sorted()
    }

    /// Makes the table of a day, unless it is there. That a report of a start is in it once is a rule of the table as well.
    static func makeReports(day: Int64, _ connection: ClusterConnection) throws(ClusterError) {
        let table = reports(day: day)
        let begin = day * Retention.dayMilliseconds
        try connection.transaction { () throws(ClusterError) in
            try lock(.days, connection)
            guard try !days(of: connection).contains(day) else { return }
            // Attaching keeps nobody from the days that are there; making it a part at once would.
            try connection.run(
                """
                CREATE TABLE \(table) (LIKE reports INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
                    CHECK (arrived >= \(begin) AND arrived < \(begin + Retention.dayMilliseconds)));
                CREATE UNIQUE INDEX \(table)_once ON \(table) (start, sequence);
                ALTER TABLE reports ATTACH PARTITION \(table)
                    FOR VALUES FROM (\(begin)) TO (\(begin + Retention.dayMilliseconds));
                """)
        }
    }
}
