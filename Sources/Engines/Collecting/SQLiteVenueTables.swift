// SPDX-License-Identifier: Apache-2.0

/// The tables of a region in SQLite: what venues told. Times are milliseconds since 1970.
public enum SQLiteVenueTables {
    /// The statements that make them, beside those of `SQLiteReportTables`.
    public static let statements =
        [
            // Which of the senders are venues.
            "CREATE TABLE venues (sender INTEGER PRIMARY KEY REFERENCES senders(sender)) STRICT",
            // The newest that each venue told of each of its boxes, with the report that told it.
            """
            CREATE TABLE venueBoxes (
                venue INTEGER NOT NULL REFERENCES senders(sender), box TEXT NOT NULL, start INTEGER NOT NULL,
                sequence INTEGER NOT NULL, told TEXT NOT NULL, PRIMARY KEY (venue, box)) STRICT, WITHOUT ROWID
            """,
        ]
        + Retention.Resolution.allCases.map { resolution in
            """
            CREATE TABLE \(sums(resolution)) (
                venue INTEGER NOT NULL REFERENCES senders(sender), time INTEGER NOT NULL, bssid TEXT NOT NULL,
                channel INTEGER NOT NULL, name TEXT, ssid TEXT, packets INTEGER NOT NULL, lost INTEGER NOT NULL,
                windows INTEGER NOT NULL, failedWindows INTEGER NOT NULL, seconds INTEGER NOT NULL,
                signalSum INTEGER NOT NULL, signalSeconds INTEGER NOT NULL,
                PRIMARY KEY (venue, time, bssid, channel)) STRICT, WITHOUT ROWID
            """
        }

    static func sums(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "venueMinutes" : "venueHours"
    }
}
