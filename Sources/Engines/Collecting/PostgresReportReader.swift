// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Time

/// Reads reports from PostgreSQL. No statement of it reads a whole table of reports or sums; a test has PostgreSQL say so.
/// - Thread: the one that made it.
final class PostgresReportReader {
    enum Statements {
        static let latest = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.box_group, l.version, l.state
            FROM senders s JOIN latest l ON l.sender = s.sender WHERE s.box > $1::text COLLATE "C" ORDER BY s.box LIMIT $2
            """
        static let latestOf = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.box_group, l.version, l.state, l.report
            FROM senders s JOIN latest l ON l.sender = s.sender WHERE s.box = $1::text COLLATE "C"
            """
        static let starts = """
            SELECT t.boot, t.began, t.firsts, t.lasts FROM senders s JOIN starts t ON t.sender = s.sender
            WHERE s.box = $1::text COLLATE "C" AND cardinality(t.firsts) > 0 ORDER BY t.began DESC, t.start DESC LIMIT $2
            """
        static let sender = "SELECT sender FROM senders WHERE box = $1::text COLLATE \"C\""
        static let reports = """
            SELECT r.number, r.arrived, r.sequence, r.wall, r.is_state, r.report, t.boot
            FROM reports r JOIN starts t ON t.start = r.start
            WHERE r.sender = $1 AND r.arrived >= $2 AND r.arrived < $3 AND (r.arrived, r.number) > ($4, $5)
            ORDER BY r.arrived, r.number LIMIT $6
            """

        static func air(_ subject: AirQuery.Subject, _ resolution: Retention.Resolution) -> String {
            // Sums of sums are numbers of any length to PostgreSQL.
            let sums = PostgresReportTables.sums.map {
                "greatest(-\(Int64.most), least(\(Int64.most), sum(a.\($0))))::bigint"
            }.joined(separator: ", ")
            let table = PostgresReportTables.air(resolution)
            switch subject {
            case .accessPoint:
                return """
                    SELECT a.bssid, min(p.name), min(p.ssid), NULL, \(sums)
                    FROM \(table) a LEFT JOIN access_points p ON p.bssid = a.bssid
                    WHERE a.time >= $1 AND a.time < $2 GROUP BY a.bssid ORDER BY a.bssid LIMIT $3
                    """
            case .channel:
                return """
                    SELECT NULL, NULL, NULL, a.channel, \(sums) FROM \(table) a
                    WHERE a.time >= $1 AND a.time < $2 GROUP BY a.channel ORDER BY a.channel LIMIT $3
                    """
            }
        }
    }

    /// Reports that are read at a time, so that texts beyond the bound of a page are not read.
    private static let portion = 64

    let connection: ClusterConnection

    var isUsable: Bool { connection.isUsable }

    init(_ connection: ClusterConnection) { self.connection = connection }

    static func integer(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

    // MARK: Boxes

    func latest(after box: String, _ limit: Int) throws(ClusterError) -> [LatestState] {
        try connection.query(Statements.latest, [.text(box), .integer(Int64(limit))]).compactMap(Self.state)
    }

    func latest(of box: String) throws(ClusterError) -> LatestState? {
        try connection.query(Statements.latestOf, [.text(box)]).first.flatMap(Self.state)
    }

    static func state(_ row: ClusterConnection.Row) -> LatestState? {
        guard let box = row[0], let boot = row[1], let sequence = integer(row[2]), let arrived = integer(row[3])
        else { return nil }
        return LatestState(
            source: ReportSource(box: box, boot: boot), sequence: sequence, arrived: WallTime(milliseconds: arrived),
            wall: integer(row[4]).map { WallTime(milliseconds: $0) },
            summary: IncomingReport.Summary(name: row[5], group: row[6], version: row[7], state: row[8]),
            text: row.count > 9 ? row[9] : nil)
    }

    func gaps(of box: String, _ limit: Int) throws(ClusterError) -> [StartGaps] {
        try connection.query(Statements.starts, [.text(box), .integer(Int64(limit))]).compactMap { row in
            guard let boot = row[0], let began = Self.integer(row[1]),
                let firsts = row[2].flatMap({ [Int64](clusterArray: $0) }),
                let lasts = row[3].flatMap({ [Int64](clusterArray: $0) })
            else { return nil }
            let received = ReceivedSequences(firsts: firsts, lasts: lasts)
            return StartGaps(
                boot: boot, began: WallTime(milliseconds: began), last: received.ranges.last?.upperBound ?? 0,
                missing: received.missing, ranges: received.gaps(limit: 100))
        }
    }

    // MARK: Reports

    func reports(_ wanted: ReportQuery) throws(ClusterError) -> ReportPage {
        var page = ReportPage([], hasMore: false)
        var place = wanted.after
        var senders: [(sender: Int64, box: String)] = []
        for box in [wanted.box] + wanted.predecessors {
            let found = try connection.query(Statements.sender, [.text(box)]).first?.first ?? nil
            if let sender = Self.integer(found) { senders.append((sender, box)) }
        }
        while true {
            var rows: [KeptReport] = []
            for (sender, box) in senders { rows += try portion(of: sender, box, wanted, behind: place) }
            if senders.count > 1 { rows = Array(rows.sorted { $0.place.isBefore($1.place) }.prefix(Self.portion)) }
            guard page.append(rows, for: wanted), rows.count == Self.portion else { return page }
            place = rows.last?.place
        }
    }

    private func portion(
        of sender: Int64, _ box: String, _ wanted: ReportQuery, behind place: ReportPlace?
    ) throws(ClusterError) -> [KeptReport] {
        let begin = max(wanted.span.lowerBound.milliseconds, place?.arrived.milliseconds ?? .min)
        let rows = try connection.query(
            Statements.reports,
            [
                .integer(sender), .integer(begin), .integer(wanted.span.upperBound.milliseconds),
                .integer(place?.arrived.milliseconds ?? .min), .integer(place?.number ?? .min),
                .integer(Int64(Self.portion)),
            ])
        return rows.compactMap { row in
            guard let number = Self.integer(row[0]), let arrived = Self.integer(row[1]),
                let sequence = Self.integer(row[2]), let isState = row[4], let text = row[5], let boot = row[6]
            else { return nil }
            return KeptReport(
                source: ReportSource(box: box, boot: boot), sequence: sequence, isState: isState == "t",
                wall: Self.integer(row[3]).map { WallTime(milliseconds: $0) },
                place: ReportPlace(arrived: WallTime(milliseconds: arrived), number: number), text: text)
        }
    }

    private func sender(of box: String) throws(ClusterError) -> Int64? {
        Self.integer(try connection.query(Statements.sender, [.text(box)]).first?.first ?? nil)
    }

    // MARK: Sums

    func boxSums(_ wanted: BoxSumsQuery) throws(ClusterError) -> [BoxSums] {
        guard let sender = try sender(of: wanted.box) else { return [] }
        return try PostgresBoxSums.read(wanted, sender: sender, connection)
    }

    func air(_ wanted: AirQuery) throws(ClusterError) -> [AirRow] {
        let rows = try connection.query(
            Statements.air(wanted.subject, wanted.resolution),
            [
                .integer(Retention.begin(of: wanted.span.lowerBound, wanted.resolution)),
                .integer(wanted.span.upperBound.milliseconds), .integer(Int64(wanted.limit)),
            ])
        return rows.map(Self.airRow)
    }

    /// Address, names and channel, and the sums behind them.
    static func airRow(_ row: ClusterConnection.Row) -> AirRow {
        var sums = AirSums()
        sums.packets = integer(row[4]) ?? 0
        sums.lost = integer(row[5]) ?? 0
        sums.windows = integer(row[6]) ?? 0
        sums.failedWindows = integer(row[7]) ?? 0
        sums.seconds = integer(row[8]) ?? 0
        sums.signalSum = integer(row[9]) ?? 0
        sums.signalSeconds = integer(row[10]) ?? 0
        return AirRow(bssid: row[0], name: row[1], ssid: row[2], channel: integer(row[3]), sums)
    }
}
