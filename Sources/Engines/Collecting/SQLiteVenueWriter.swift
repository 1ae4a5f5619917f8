// SPDX-License-Identifier: Apache-2.0
import Database
import Reports

/// Writes what venues tell, within the transaction that keeps their reports.
/// - Thread: the one that made it.
final class SQLiteVenueWriter {
    private let database: Database
    /// How many more boxes there may be of a venue, at the least; of venues that are known.
    private var room: [Int64: Int64] = [:]

    init(_ database: Database) { self.database = database }

    func forget() { room = [:] }

    /// - Parameters:
    ///   - isCurrent: whether the report is of the newest start of the venue.
    /// - Returns: false if there are too many venues.
    func keep(
        _ report: VenueReport, of venue: Int64, start: Int64, sequence: Int64, isCurrent: Bool
    ) throws(DatabaseError) -> Bool {
        guard try know(venue) else { return false }
        let count = Int64(report.boxes.count)
        if room[venue, default: 0] < count { room[venue] = try roomLeft(venue) }
        let hasRoom = room[venue, default: 0] >= count
        if hasRoom { room[venue, default: 0] -= count }
        for box in report.boxes {
            try database.execute(
                Statements.setBox,
                [
                    .integer(venue), .text(box.box), .integer(start), .integer(sequence), .text(box.json.text()),
                    .integer(hasRoom ? 1 : 0), .integer(venue), .text(box.box), .integer(isCurrent ? 1 : 0),
                ])
        }
        for resolution in Retention.Resolution.allCases {
            for sum in VenueRules.sums(report, resolution) {
                try database.execute(
                    Statements.setSum(resolution),
                    [
                        .integer(venue), .integer(sum.timeMs), .text(sum.bssid), .integer(sum.channel),
                        .optional(sum.name), .optional(sum.ssid), .integer(sum.packets), .integer(sum.lost),
                        .integer(sum.windows), .integer(sum.failedWindows), .integer(sum.seconds),
                        .integer(sum.signalSum), .integer(sum.signalSeconds),
                    ])
            }
        }
        return true
    }

    private func know(_ venue: Int64) throws(DatabaseError) -> Bool {
        guard room[venue] == nil else { return true }
        if try database.query("SELECT 1 FROM venues WHERE sender = ?", [.integer(venue)]).isEmpty {
            let count = try database.query("SELECT count(*) FROM venues").first?.first?.integer ?? 0
            guard count < VenueRules.mostVenues else { return false }
            try database.execute("INSERT INTO venues VALUES (?)", [.integer(venue)])
        }
        room[venue] = try roomLeft(venue)
        return true
    }

    private func roomLeft(_ venue: Int64) throws(DatabaseError) -> Int64 {
        let count = try database.query("SELECT count(*) FROM venueBoxes WHERE venue = ?", [.integer(venue)])
        return VenueRules.mostBoxes - (count.first?.first?.integer ?? 0)
    }

    enum Statements {
        /// What a later report told stays. Without room, only boxes that are there are changed.
        static let setBox = """
            INSERT INTO venueBoxes SELECT ?, ?, ?, ?, ?
            WHERE ? OR EXISTS (SELECT 1 FROM venueBoxes WHERE venue = ? AND box = ?)
            ON CONFLICT (venue, box) DO UPDATE SET start = excluded.start, sequence = excluded.sequence, told = excluded.told
            WHERE CASE WHEN excluded.start = venueBoxes.start THEN excluded.sequence > venueBoxes.sequence ELSE ? END
            """

        /// Sums of a minute only grow: of two that are told, each number is the greater one.
        static func setSum(_ resolution: Retention.Resolution) -> String {
            let table = SQLiteVenueTables.sums(resolution)
            let counts = ["packets", "lost", "windows", "failedWindows", "seconds", "signalSeconds"].map {
                "\($0) = max(\(table).\($0), excluded.\($0))"
            }
            return """
                INSERT INTO \(table) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (venue, time, bssid, channel) DO UPDATE SET name = excluded.name, ssid = excluded.ssid,
                    signalSum = CASE WHEN excluded.signalSeconds > \(table).signalSeconds THEN excluded.signalSum
                        ELSE \(table).signalSum END, \(counts.joined(separator: ", "))
                """
        }
    }
}
