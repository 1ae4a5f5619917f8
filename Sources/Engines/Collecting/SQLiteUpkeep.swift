// SPDX-License-Identifier: Apache-2.0
import Database
import Time

/// Throws away what `Retention` does not keep, in portions that nobody waits long for.
struct SQLiteUpkeep {
    /// Reports of one portion. A table that is dropped with all its rows would keep the file for as long as it takes to read
    /// them.
    static let mostReports: Int64 = 2_000
    /// Minutes or hours of one portion.
    private static let mostSums = 10

    private let database: Database
    private let retention: Retention

    init(_ database: Database, _ retention: Retention) { (self.database, self.retention) = (database, retention) }

    /// - Parameter dropped: told each day whose table has gone.
    /// - Returns: whether there is more to do.
    func portion(at now: WallTime, dropped: (Int64) -> Void) throws(DatabaseError) -> Bool {
        let over = try SQLiteReportTables.days(of: database).first { retention.isOver(day: $0, at: now) }
        if let over {
            try dropReports(of: over, dropped)
            return true
        }
        for resolution in Retention.Resolution.allCases {
            let horizon = retention.horizon(resolution, at: now)
            if try dropSums(SQLiteReportTables.air(resolution), before: horizon, Self.mostSums) { return true }
            // A minute has a row for each box: one minute at a time is enough.
            let number = horizon / resolution.milliseconds
            if try dropSums(SQLiteReportTables.boxes(resolution), before: number, 1) { return true }
        }
        return try dropVenueSums(at: now)
    }

    /// Of each venue the oldest minutes and hours.
    private func dropVenueSums(at now: WallTime) throws(DatabaseError) -> Bool {
        let venues = try database.query("SELECT sender FROM venues").compactMap { $0.first?.integer }
        var isDropped = false
        for resolution in Retention.Resolution.allCases {
            let table = SQLiteVenueTables.sums(resolution)
            let horizon = retention.horizon(resolution, at: now)
            for venue in venues {
                let first = try database.query(
                    "SELECT time FROM \(table) WHERE venue = ? ORDER BY time LIMIT 1", [.integer(venue)])
                guard let time = first.first?.first?.integer, time < horizon else { continue }
                let end = min(horizon, time + Int64(Self.mostSums) * resolution.milliseconds)
                try database.execute(
                    "DELETE FROM \(table) WHERE venue = ? AND time < ?", [.integer(venue), .integer(end)])
                isDropped = true
            }
        }
        return isDropped
    }

    private func dropReports(of day: Int64, _ dropped: (Int64) -> Void) throws(DatabaseError) {
        let table = SQLiteReportTables.reports(day: day)
        let last = try database.query("SELECT number FROM \(table) ORDER BY number LIMIT 1 OFFSET \(Self.mostReports)")
        if let number = last.first?.first?.integer {
            try database.execute("DELETE FROM \(table) WHERE number < ?", [.integer(number)])
        } else {
            dropped(day)
            try database.execute("DROP TABLE \(table)")
        }
    }

    /// - Returns: whether there is more to throw away.
    private func dropSums(_ table: String, before horizon: Int64, _ most: Int) throws(DatabaseError) -> Bool {
        func first() throws(DatabaseError) -> Int64? {
            let rows = try database.query("SELECT time FROM \(table) ORDER BY time LIMIT 1")
            return rows.first?.first?.integer.flatMap { $0 < horizon ? $0 : nil }
        }
        guard try first() != nil else { return false }
        var count = 0
        // As one transaction it is flushed once.
        try database.transaction { () throws(DatabaseError) in
            while count < most, let time = try first() {
                try database.execute("DELETE FROM \(table) WHERE time = ?", [.integer(time)])
                count += 1
            }
        }
        return count == most
    }
}
