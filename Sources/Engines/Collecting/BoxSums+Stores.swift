// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Database
import Time

/// Sums by box in SQLite.
enum SQLiteBoxSums {
    static let columns = [
        "packets", "lost", "windows", "failedWindows", "seconds", "signalSum", "signalSeconds",
    ]

    /// Each minute or hour is looked for by itself: rows lie in the order of time, which is how they are written and thrown
    /// away.
    static func read(_ resolution: Retention.Resolution) -> String {
        """
        WITH RECURSIVE wanted (time) AS (SELECT ? UNION ALL SELECT time + 1 FROM wanted WHERE time < ?)
        SELECT b.time, \(columns.map { "b.\($0)" }.joined(separator: ", ")) FROM senders s CROSS JOIN wanted w
        CROSS JOIN \(SQLiteReportTables.boxes(resolution)) b ON b.time = w.time AND b.sender = s.sender
        WHERE s.box = ?
        """
    }

    static func read(_ query: BoxSumsQuery, _ database: Database) throws(DatabaseError) -> [BoxSums] {
        let numbers = query.numbers
        let rows = try database.query(
            read(query.resolution),
            [.integer(numbers.lowerBound), .integer(numbers.upperBound), .text(query.box)])
        return rows.compactMap { row in
            row[0].integer.map {
                BoxSums(number: $0, query.resolution, AirSums(row.dropFirst().map { $0.integer ?? 0 }))
            }
        }
    }

    static func write(_ group: BoxGroup, _ database: Database) throws(DatabaseError) {
        for resolution in Retention.Resolution.allCases {
            let statement = """
                INSERT INTO \(SQLiteReportTables.boxes(resolution)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (time, sender) DO UPDATE SET \(SQLiteReportTables.adding(columns))
                """
            for (key, sums) in group.sums(of: resolution) {
                try database.execute(
                    statement, [.integer(key.time), .integer(key.sender)] + sums.numbers.map { .integer($0) })
            }
        }
    }
}

/// Sums by box in PostgreSQL.
enum PostgresBoxSums {
    static func read(_ resolution: Retention.Resolution) -> String {
        """
        SELECT b.time, \(PostgresReportTables.sums.map { "b.\($0)" }.joined(separator: ", "))
        FROM generate_series($1::bigint::integer, $2::bigint::integer) AS w (time)
        JOIN \(PostgresReportTables.boxes(resolution)) b ON b.time = w.time AND b.sender = $3 ORDER BY b.time
        """
    }

    static func read(
        _ query: BoxSumsQuery, sender: Int64, _ connection: ClusterConnection
    ) throws(ClusterError) -> [BoxSums] {
        let numbers = query.numbers
        let rows = try connection.query(
            read(query.resolution),
            [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(sender)])
        return rows.compactMap { row in
            let values = row.map { $0.flatMap { Int64($0) } ?? 0 }
            return BoxSums(number: values[0], query.resolution, AirSums(Array(values.dropFirst())))
        }
    }

    static func add(_ resolution: Retention.Resolution) -> String {
        let (table, sums) = (PostgresReportTables.boxes(resolution), PostgresReportTables.sums)
        let arrays = (3...9).map { "$\($0)::bigint[]" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (time, sender, \(sums.joined(separator: ", ")))
            SELECT n.time, n.sender, \(sums.map { "n.\($0)" }.joined(separator: ", "))
            FROM unnest($1::integer[], $2::bigint[], \(arrays)) AS n (time, sender, \(sums.joined(separator: ", ")))
            ON CONFLICT (time, sender) DO UPDATE SET \(PostgresReportTables.adding(to: table))
            """
    }

    static func write(_ group: BoxGroup, _ connection: ClusterConnection) throws(ClusterError) {
        for resolution in Retention.Resolution.allCases {
            let rows = group.sums(of: resolution)
            guard !rows.isEmpty else { continue }
            let numbers = (0..<7).map { column in ClusterValue.array(rows.map { $0.value.numbers[column] }) }
            try connection.execute(
                add(resolution), [.array(rows.map { $0.key.time }), .array(rows.map { $0.key.sender })] + numbers)
        }
    }
}

extension AirSums {
    /// In the order of the tables' columns.
    var numbers: [Int64] { [packets, lost, windows, failedWindows, seconds, signalSum, signalSeconds] }

    init(_ numbers: [Int64]) {
        self.init()
        guard numbers.count == 7 else { return }
        (packets, lost, windows, failedWindows) = (numbers[0], numbers[1], numbers[2], numbers[3])
        (seconds, signalSum, signalSeconds) = (numbers[4], numbers[5], numbers[6])
    }
}
