// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Synchronization
import Time

extension PostgresReportTables {
    /// The statements that lead from the tables of reports to those with alerts and sums by box.
    static let second =
        [
            "CREATE INDEX latest_arrived ON latest (arrived, sender)",
            "CREATE TABLE alerts (id text COLLATE \"C\" PRIMARY KEY, ended bigint, alert text NOT NULL)",
            "CREATE INDEX alerts_ended ON alerts (ended, id)",
            """
            CREATE TABLE alert_messages (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, target text COLLATE "C" NOT NULL,
                text text NOT NULL)
            """,
            "CREATE INDEX alert_messages_target ON alert_messages (target, number)",
        ]
        + Retention.Resolution.allCases.map { resolution in
            // Whoever writes a box's sums has locked its row in `senders`.
            """
            CREATE TABLE \(boxes(resolution)) (
                time integer NOT NULL, sender bigint NOT NULL, \(sums.map { "\($0) bigint NOT NULL" }.joined(separator: ", ")),
                PRIMARY KEY (time, sender))
            """
        }

    /// The table of sums by box.
    static func boxes(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "box_minutes" : "box_hours"
    }
}

/// Alerts in PostgreSQL. The reporter whose connection has the lock tells; if the connection is lost, so is the lock.
/// - Thread: the one that made it.
final class PostgresAlerts {
    enum Statements {
        static let states = """
            SELECT l.arrived, l.sender, s.box, l.boot, l.sequence, l.wall, l.name, l.box_group, l.version, l.state, l.report
            FROM latest l JOIN senders s ON s.sender = l.sender
            WHERE (l.arrived, l.sender) > ($1, $2) ORDER BY l.arrived, l.sender LIMIT $3
            """
        static let open = "SELECT alert FROM alerts WHERE ended IS NULL ORDER BY id"
        static let waiting = """
            SELECT number, text FROM alert_messages WHERE target = $1::text COLLATE "C" ORDER BY number LIMIT $2
            """
        static let forget = "DELETE FROM alerts WHERE ended < $1"

        static func list(_ state: AlertQuery.State) -> String {
            let which =
                switch state {
                case .open: " AND ended IS NULL"
                case .ended: " AND ended IS NOT NULL"
                case .all: ""
                }
            return """
                SELECT id, ended, alert FROM alerts WHERE id < $1::text COLLATE "C"\(which) ORDER BY id DESC LIMIT $2
                """
        }
    }

    private static let terms = Atomic<Int64>(0)

    private let connection: ClusterConnection
    private var term: Int64?

    var isUsable: Bool { connection.isUsable }

    init(_ connection: ClusterConnection) throws(ClusterError) {
        self.connection = connection
        try PostgresReportTables.migrate(connection)
        // The server gives the lock to another reporter soon after this one's machine is gone.
        _ = try connection.query(
            """
            SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
                set_config('tcp_keepalives_count', '3', false)
            """)
    }

    func lead() throws(ClusterError) -> Int64? {
        if let term {
            try connection.execute("SELECT 1")  // else nobody would notice that the host is gone
            return term
        }
        let lock = ClusterValue.integer(PostgresReportTables.Lock.alerts.rawValue)
        let isMine = try connection.query("SELECT pg_try_advisory_lock($1)", [lock]).first?.first == "t"
        if isMine { term = Self.terms.wrappingAdd(1, ordering: .relaxed).newValue }
        return term
    }

    private func checkTerm() throws(ClusterError) {
        guard term != nil else { throw ClusterError(.other, "another reporter may be the one that tells alerts now") }
    }

    private static func integer(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

    func states(after place: LatestPlace, _ limit: Int) throws(ClusterError) -> [(LatestPlace, LatestState)] {
        try connection.query(
            Statements.states, [.integer(place.arrived), .integer(place.sender), .integer(Int64(limit))]
        ).compactMap { row in
            guard let arrived = Self.integer(row[0]), let sender = Self.integer(row[1]), let box = row[2],
                let boot = row[3], let sequence = Self.integer(row[4])
            else { return nil }
            let state = LatestState(
                source: ReportSource(box: box, boot: boot), sequence: sequence,
                arrived: WallTime(milliseconds: arrived),
                wall: Self.integer(row[5]).map { WallTime(milliseconds: $0) },
                summary: IncomingReport.Summary(name: row[6], group: row[7], version: row[8], state: row[9]),
                text: row[10])
            return (LatestPlace(arrived: arrived, sender: sender), state)
        }
    }

    func open() throws(ClusterError) -> [String] { try connection.query(Statements.open).compactMap { $0[0] } }

    func keep(_ alerts: [KeptAlert], _ messages: [AlertMessage], _ most: Int) throws(ClusterError) -> Int {
        try checkTerm()
        var dropped = 0
        try connection.transaction { () throws(ClusterError) in
            for alert in alerts {
                try connection.execute(
                    """
                    INSERT INTO alerts (id, ended, alert) VALUES ($1, $2, $3)
                    ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, alert = excluded.alert
                    """,
                    [.text(alert.id), .optional(alert.ended?.milliseconds), .text(alert.text)])
            }
            for message in messages {
                try connection.execute(
                    "INSERT INTO alert_messages (target, text) VALUES ($1, $2)",
                    [.text(message.target), .text(message.text)])
            }
            guard !messages.isEmpty else { return }
            let count =
                Self.integer(try connection.query("SELECT count(*) FROM alert_messages").first?.first ?? nil) ?? 0
            guard count > Int64(most) else { return }
            dropped = Int(count) - most
            try connection.execute(
                """
                DELETE FROM alert_messages WHERE number IN (SELECT number FROM alert_messages ORDER BY number LIMIT $1)
                """, [.integer(Int64(dropped))])
        }
        return dropped
    }

    func waiting(_ target: String, _ limit: Int) throws(ClusterError) -> [AlertMessage] {
        try checkTerm()
        return try connection.query(Statements.waiting, [.text(target), .integer(Int64(limit))]).compactMap { row in
            guard let number = Self.integer(row[0]), let text = row[1] else { return nil }
            return AlertMessage(number: number, target: target, text: text)
        }
    }

    func told(_ numbers: [Int64]) throws(ClusterError) {
        try connection.execute(
            "DELETE FROM alert_messages WHERE number = ANY($1::bigint[])", [.array(numbers.map { $0 })])
    }

    func forget(endedBefore time: WallTime) throws(ClusterError) {
        try connection.execute(Statements.forget, [.integer(time.milliseconds)])
    }

    static func list(_ query: AlertQuery, _ connection: ClusterConnection) throws(ClusterError) -> [KeptAlert] {
        try connection.query(Statements.list(query.state), [.text(query.bound), .integer(Int64(query.limit))])
            .compactMap { row in
                guard let id = row[0], let text = row[2] else { return nil }
                return KeptAlert(id: id, ended: integer(row[1]).map { WallTime(milliseconds: $0) }, text: text)
            }
    }
}

extension AlertKeeper {
    init(_ alerts: ClusterUse<PostgresAlerts>) {
        self.init(
            lead: { () throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.lead() }
            },
            states: { (after, limit) throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.states(after: after, limit) }
            },
            open: { () throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.open() }
            },
            keep: { (kept, messages, most) throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.keep(kept, messages, most) }
            },
            waiting: { (target, limit) throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.waiting(target, limit) }
            },
            told: { (numbers) throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.told(numbers) }
            },
            forget: { (time) throws(StoreError) in
                try alerts.use { (alerts) throws(ClusterError) in try alerts.forget(endedBefore: time) }
            })
    }
}
