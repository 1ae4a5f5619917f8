// SPDX-License-Identifier: Apache-2.0
import Database
import Time

extension SQLiteReportTables {
    /// The statements that lead from the tables of reports to those with alerts and sums by box.
    public static let alertStatements =
        [
            "CREATE INDEX latestArrived ON latest (arrived, sender)",
            "CREATE TABLE alerts (id TEXT PRIMARY KEY, ended INTEGER, alert TEXT NOT NULL) STRICT, WITHOUT ROWID",
            "CREATE INDEX alertsEnded ON alerts (ended, id)",
            "CREATE TABLE alertMessages (number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, text TEXT NOT NULL) STRICT",
            "CREATE INDEX alertMessagesTarget ON alertMessages (target, number)",
        ]
        + Retention.Resolution.allCases.map { resolution in
            """
            CREATE TABLE \(boxes(resolution)) (
                time INTEGER NOT NULL, sender INTEGER NOT NULL, packets INTEGER NOT NULL, lost INTEGER NOT NULL,
                windows INTEGER NOT NULL, failedWindows INTEGER NOT NULL, seconds INTEGER NOT NULL,
                signalSum INTEGER NOT NULL, signalSeconds INTEGER NOT NULL,
                PRIMARY KEY (time, sender)) STRICT, WITHOUT ROWID
            """
        }

    /// The table of sums by box.
    static func boxes(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "boxMinutes" : "boxHours"
    }
}

/// Alerts in SQLite. There is one reporter, and it tells.
/// - Thread: the one that made it.
final class SQLiteAlerts {
    enum Statements {
        static let states = """
            SELECT l.arrived, l.sender, s.box, l.boot, l.sequence, l.wall, l.name, l.boxGroup, l.version, l.state, l.report
            FROM latest l JOIN senders s ON s.sender = l.sender
            WHERE (l.arrived, l.sender) > (?, ?) ORDER BY l.arrived, l.sender LIMIT ?
            """
        static let open = "SELECT alert FROM alerts WHERE ended IS NULL ORDER BY id"
        static let waiting = "SELECT number, text FROM alertMessages WHERE target = ? ORDER BY number LIMIT ?"
        static let forget = "DELETE FROM alerts WHERE ended < ?"

        static func list(_ state: AlertQuery.State) -> String {
            let (column, rest) =
                switch state {
                case .open: ("ended IS NULL AND id", "")
                case .ended: ("id", " AND +ended IS NOT NULL")
                case .all: ("id", "")
                }
            return "SELECT id, ended, alert FROM alerts WHERE \(column) < ?\(rest) ORDER BY id DESC LIMIT ?"
        }
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    func states(after place: LatestPlace, _ limit: Int) throws(DatabaseError) -> [(LatestPlace, LatestState)] {
        guard !database.hasMoved else {
            throw DatabaseError(.gone, description: "the file has been removed or renamed")
        }
        return try database.query(
            Statements.states, [.integer(place.arrived), .integer(place.sender), .integer(Int64(limit))]
        ).compactMap { row in
            guard let arrived = row[0].integer, let sender = row[1].integer, let box = row[2].text,
                let boot = row[3].text, let sequence = row[4].integer
            else { return nil }
            let state = LatestState(
                source: ReportSource(box: box, boot: boot), sequence: sequence,
                arrived: WallTime(milliseconds: arrived), wall: row[5].integer.map { WallTime(milliseconds: $0) },
                summary: IncomingReport.Summary(
                    name: row[6].text, group: row[7].text, version: row[8].text, state: row[9].text),
                text: row[10].text)
            return (LatestPlace(arrived: arrived, sender: sender), state)
        }
    }

    func open() throws(DatabaseError) -> [String] { try database.query(Statements.open).compactMap { $0.first?.text } }

    func keep(_ alerts: [KeptAlert], _ messages: [AlertMessage], _ most: Int) throws(DatabaseError) -> Int {
        var dropped = 0
        try database.transaction { () throws(DatabaseError) in
            for alert in alerts {
                try database.execute(
                    """
                    INSERT INTO alerts VALUES (?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, alert = excluded.alert
                    """,
                    [.text(alert.id), .optional(alert.ended?.milliseconds), .text(alert.text)])
            }
            for message in messages {
                try database.execute(
                    "INSERT INTO alertMessages (target, text) VALUES (?, ?)",
                    [.text(message.target), .text(message.text)])
            }
            guard !messages.isEmpty else { return }
            let count = try database.query("SELECT count(*) FROM alertMessages").first?.first?.integer ?? 0
            guard count > Int64(most) else { return }
            dropped = Int(count) - most
            try database.execute(
                """
                DELETE FROM alertMessages WHERE number IN (SELECT number FROM alertMessages ORDER BY number LIMIT ?)
                """, [.integer(Int64(dropped))])
        }
        return dropped
    }

    func waiting(_ target: String, _ limit: Int) throws(DatabaseError) -> [AlertMessage] {
        try database.query(Statements.waiting, [.text(target), .integer(Int64(limit))]).compactMap { row in
            guard let number = row[0].integer, let text = row[1].text else { return nil }
            return AlertMessage(number: number, target: target, text: text)
        }
    }

    func told(_ numbers: [Int64]) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for number in numbers {
                try database.execute("DELETE FROM alertMessages WHERE number = ?", [.integer(number)])
            }
        }
    }

    func forget(endedBefore time: WallTime) throws(DatabaseError) {
        try database.execute(Statements.forget, [.integer(time.milliseconds)])
    }

    static func list(_ query: AlertQuery, _ database: Database) throws(DatabaseError) -> [KeptAlert] {
        try database.query(Statements.list(query.state), [.text(query.bound), .integer(Int64(query.limit))])
            .compactMap { row in
                guard let id = row[0].text, let text = row[2].text else { return nil }
                return KeptAlert(id: id, ended: row[1].integer.map { WallTime(milliseconds: $0) }, text: text)
            }
    }
}

extension AlertKeeper {
    init(_ alerts: SQLiteAlerts) {
        self.init(
            lead: { () throws(StoreError) in 1 },
            states: { (after, limit) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try alerts.states(after: after, limit) }
            },
            open: { () throws(StoreError) in try StoreError.of { () throws(DatabaseError) in try alerts.open() } },
            keep: { (kept, messages, most) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try alerts.keep(kept, messages, most) }
            },
            waiting: { (target, limit) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try alerts.waiting(target, limit) }
            },
            told: { (numbers) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try alerts.told(numbers) }
            },
            forget: { (time) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try alerts.forget(endedBefore: time) }
            })
    }
}
