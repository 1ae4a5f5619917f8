// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Time

/// Makes the tables of days ahead, and throws away what `Retention` does not keep, in portions that nobody waits long for.
/// One reporter at a time does it; for the others there is nothing to do then.
struct PostgresUpkeep {
    /// Minutes or hours of one portion.
    private static let mostSums = 10
    /// Days that have their table before they begin.
    private static let ahead: Int64 = 2

    private let connection: ClusterConnection
    private let retention: Retention

    init(_ connection: ClusterConnection, _ retention: Retention) {
        (self.connection, self.retention) = (connection, retention)
    }

    /// - Parameter dropped: told each day whose table has gone.
    /// - Returns: whether there is more to do.
    func portion(at now: WallTime, dropped: (Int64) -> Void) throws(ClusterError) -> Bool {
        let today = Retention.day(of: now)
        let there = Set(try PostgresReportTables.days(of: connection))
        for day in today...today + Self.ahead where !there.contains(day) {
            try PostgresReportTables.makeReports(day: day, connection)
        }
        var hasMore = false
        try connection.transaction { () throws(ClusterError) in
            guard try PostgresReportTables.tryLock(.upkeep, connection) else { return }
            hasMore = try throwAway(at: now, dropped)
        }
        return hasMore
    }

    private func throwAway(at now: WallTime, _ dropped: (Int64) -> Void) throws(ClusterError) -> Bool {
        let days = try PostgresReportTables.days(of: connection)
        if let over = days.first(where: { retention.isOver(day: $0, at: now) }) {
            // Whoever writes is not kept waiting for whoever reads; it is tried again soon.
            try connection.run("SET LOCAL lock_timeout = '500ms'")
            try connection.run("DROP TABLE \(PostgresReportTables.reports(day: over))")
            dropped(over)
            return true
        }
        for resolution in Retention.Resolution.allCases {
            let horizon = retention.horizon(resolution, at: now)
            if try dropSums(PostgresReportTables.air(resolution), before: horizon, Self.mostSums) { return true }
            // A minute has a row for each box: one minute at a time is enough.
            let number = horizon / resolution.milliseconds
            if try dropSums(PostgresReportTables.boxes(resolution), before: number, 1) { return true }
        }
        for resolution in Retention.Resolution.allCases where try dropVenueSums(resolution, at: now) { return true }
        return false
    }

    /// Of each venue the oldest minutes or hours.
    private func dropVenueSums(_ resolution: Retention.Resolution, at now: WallTime) throws(ClusterError) -> Bool {
        let table = PostgresReportTables.venueSums(resolution)
        try connection.execute(
            """
            DELETE FROM \(table) d USING (
                SELECT v.sender, (SELECT min(t.time) FROM \(table) t WHERE t.venue = v.sender) AS first FROM venues v) AS o
            WHERE d.venue = o.sender AND o.first < $1 AND d.time < least($1, o.first + $2)
            """,
            [
                .integer(retention.horizon(resolution, at: now)),
                .integer(Int64(Self.mostSums) * resolution.milliseconds),
            ])
        return connection.changes > 0
    }

    private func dropSums(_ table: String, before time: Int64, _ most: Int) throws(ClusterError) -> Bool {
        try connection.execute(
            """
            DELETE FROM \(table) WHERE time IN (
                SELECT DISTINCT time FROM (SELECT time FROM \(table) WHERE time < $1 ORDER BY time LIMIT $2) AS old)
            """, [.integer(time), .integer(Int64(most))])
        return connection.changes > 0
    }
}
