// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Time

/// What venues told, and what a venue's reporter forwards, read from PostgreSQL.
extension PostgresReportReader {
    enum VenueStatements {
        private static let state = """
            s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.box_group, l.version, l.state, l.report
            """
        static let venues = """
            SELECT \(state) FROM senders s JOIN latest l ON l.sender = s.sender JOIN venues v ON v.sender = s.sender
            WHERE s.box > $1::text COLLATE "C" ORDER BY s.box LIMIT $2
            """
        static let boxes = """
            SELECT told FROM venue_boxes WHERE venue = (SELECT sender FROM senders WHERE box = $1::text COLLATE "C")
                AND box > $2::text COLLATE "C" ORDER BY box LIMIT $3
            """
        static let states = """
            SELECT \(state) FROM senders s JOIN latest l ON l.sender = s.sender
            WHERE s.box > $1::text COLLATE "C" AND l.arrived > $2 ORDER BY s.box LIMIT $3
            """

        private static let sums = PostgresReportTables.sums.map {
            "greatest(-\(Int64.most), least(\(Int64.most), sum(a.\($0))))::bigint"
        }.joined(separator: ", ")

        static func moment(_ resolution: Retention.Resolution) -> String {
            let table = PostgresReportTables.air(resolution)
            return """
                SELECT a.bssid, min(p.name), min(p.ssid), a.channel, \(sums), a.time
                FROM \(table) a LEFT JOIN access_points p ON p.bssid = a.bssid
                WHERE a.time = (SELECT min(time) FROM \(table) WHERE time >= $1 AND time < $2)
                GROUP BY a.time, a.bssid, a.channel ORDER BY a.bssid, a.channel LIMIT \(AirMoment.mostRows)
                """
        }

        static func air(_ subject: AirQuery.Subject, _ resolution: Retention.Resolution) -> String {
            let isChannel = subject == .channel
            let column = isChannel ? "a.channel" : "a.bssid"
            return """
                SELECT \(isChannel ? "NULL, NULL, NULL, a.channel" : "a.bssid, min(a.name), min(a.ssid), NULL"), \(sums)
                FROM \(PostgresReportTables.venueSums(resolution)) a
                WHERE a.venue = (SELECT sender FROM senders WHERE box = $1::text COLLATE "C")
                    AND a.time >= $2 AND a.time < $3 GROUP BY \(column) ORDER BY \(column) LIMIT $4
                """
        }
    }

    func venues(after venue: String, _ limit: Int) throws(ClusterError) -> [LatestState] {
        try connection.query(VenueStatements.venues, [.text(venue), .integer(Int64(limit))]).compactMap(Self.state)
    }

    func boxes(of venue: String, after box: String, _ limit: Int) throws(ClusterError) -> [String] {
        try connection.query(VenueStatements.boxes, [.text(venue), .text(box), .integer(Int64(limit))])
            .compactMap { $0[0] }
    }

    func air(of venue: String, _ wanted: AirQuery) throws(ClusterError) -> [AirRow] {
        try connection.query(
            VenueStatements.air(wanted.subject, wanted.resolution),
            [
                .text(venue), .integer(Retention.begin(of: wanted.span.lowerBound, wanted.resolution)),
                .integer(wanted.span.upperBound.milliseconds), .integer(Int64(wanted.limit)),
            ]
        ).map(Self.airRow)
    }

    func states(after box: String, since time: WallTime, _ limit: Int) throws(ClusterError) -> [LatestState] {
        try connection.query(
            VenueStatements.states, [.text(box), .integer(time.milliseconds), .integer(Int64(limit))]
        ).compactMap(Self.state)
    }

    func moment(_ resolution: Retention.Resolution, in span: Range<WallTime>) throws(ClusterError) -> AirMoment? {
        let rows = try connection.query(
            VenueStatements.moment(resolution),
            [.integer(span.lowerBound.milliseconds), .integer(span.upperBound.milliseconds)])
        guard let time = rows.first.flatMap({ Self.integer($0[11]) }) else { return nil }
        return AirMoment(begin: WallTime(milliseconds: time), rows: rows.map(Self.airRow))
    }
}

extension VenueReading {
    init(_ reader: ClusterUse<PostgresReportReader>) {
        self.init(
            venues: { (after, limit) throws(StoreError) in
                try reader.use { (reader) throws(ClusterError) in try reader.venues(after: after, limit) }
            },
            boxes: { (venue, after, limit) throws(StoreError) in
                try reader.use { (reader) throws(ClusterError) in try reader.boxes(of: venue, after: after, limit) }
            },
            air: { (venue, query) throws(StoreError) in
                try reader.use { (reader) throws(ClusterError) in try reader.air(of: venue, query) }
            })
    }
}

extension ForwardReading {
    init(_ reader: ClusterUse<PostgresReportReader>) {
        self.init(
            states: { (after, since, limit) throws(StoreError) in
                try reader.use { (reader) throws(ClusterError) in try reader.states(after: after, since: since, limit) }
            },
            sums: { (resolution, span) throws(StoreError) in
                try reader.use { (reader) throws(ClusterError) in try reader.moment(resolution, in: span) }
            })
    }
}
