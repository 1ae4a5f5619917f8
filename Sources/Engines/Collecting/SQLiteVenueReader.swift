// SPDX-License-Identifier: Apache-2.0
import Database
import Time

/// What venues told, and what a venue's reporter forwards, read from SQLite.
extension SQLiteReportReader {
    enum VenueStatements {
        static let venues = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.boxGroup, l.version, l.state, l.report
            FROM senders s JOIN latest l ON l.sender = s.sender
            WHERE s.box > ? AND EXISTS (SELECT 1 FROM venues v WHERE v.sender = s.sender) ORDER BY s.box LIMIT ?
            """
        static let boxes = """
            SELECT b.told FROM venueBoxes b
            WHERE b.venue = (SELECT sender FROM senders WHERE box = ?) AND b.box > ? ORDER BY b.box LIMIT ?
            """
        static let states = """
            SELECT s.box, l.boot, l.sequence, l.arrived, l.wall, l.name, l.boxGroup, l.version, l.state, l.report
            FROM senders s JOIN latest l ON l.sender = s.sender WHERE s.box > ? AND l.arrived > ? ORDER BY s.box LIMIT ?
            """

        static func moment(_ resolution: Retention.Resolution) -> String {
            let sums = SQLiteReportReader.sums.map { "a.\($0)" }.joined(separator: ", ")
            let table = SQLiteReportTables.air(resolution)
            return """
                SELECT a.bssid, p.name, p.ssid, a.channel, \(sums), a.time
                FROM \(table) a LEFT JOIN accessPoints p ON p.bssid = a.bssid
                WHERE a.time = (SELECT min(time) FROM \(table) WHERE time >= ? AND time < ?)
                ORDER BY a.bssid, a.channel LIMIT \(AirMoment.mostRows)
                """
        }

        static func air(_ subject: AirQuery.Subject, _ resolution: Retention.Resolution) -> String {
            let sums = SQLiteReportReader.sums.map { "CAST(total(a.\($0)) AS INTEGER)" }.joined(separator: ", ")
            let isChannel = subject == .channel
            let column = isChannel ? "a.channel" : "a.bssid"
            return """
                SELECT \(isChannel ? "NULL, NULL, NULL, a.channel" : "a.bssid, min(a.name), min(a.ssid), NULL"), \(sums)
                FROM \(SQLiteVenueTables.sums(resolution)) a WHERE a.venue = (SELECT sender FROM senders WHERE box = ?)
                    AND a.time >= ? AND a.time < ? GROUP BY \(column) ORDER BY \(column) LIMIT ?
                """
        }
    }

    static let sums = ["packets", "lost", "windows", "failedWindows", "seconds", "signalSum", "signalSeconds"]

    func venues(after venue: String, _ limit: Int) throws(DatabaseError) -> [LatestState] {
        try query(VenueStatements.venues, [.text(venue), .integer(Int64(limit))]).compactMap(Self.state)
    }

    func boxes(of venue: String, after box: String, _ limit: Int) throws(DatabaseError) -> [String] {
        try query(VenueStatements.boxes, [.text(venue), .text(box), .integer(Int64(limit))]).compactMap { $0[0].text }
    }

    func air(of venue: String, _ wanted: AirQuery) throws(DatabaseError) -> [AirRow] {
        try query(
            VenueStatements.air(wanted.subject, wanted.resolution),
            [
                .text(venue), .integer(Retention.begin(of: wanted.span.lowerBound, wanted.resolution)),
                .integer(wanted.span.upperBound.milliseconds), .integer(Int64(wanted.limit)),
            ]
        ).map(Self.airRow)
    }

    func states(after box: String, since time: WallTime, _ limit: Int) throws(DatabaseError) -> [LatestState] {
        try query(
            VenueStatements.states, [.text(box), .integer(time.milliseconds), .integer(Int64(limit))]
        ).compactMap(Self.state)
    }

    func moment(_ resolution: Retention.Resolution, in span: Range<WallTime>) throws(DatabaseError) -> AirMoment? {
        let rows = try query(
            VenueStatements.moment(resolution),
            [.integer(span.lowerBound.milliseconds), .integer(span.upperBound.milliseconds)])
        guard let time = rows.first?.last?.integer else { return nil }
        return AirMoment(begin: WallTime(milliseconds: time), rows: rows.map(Self.airRow))
    }
}
