// SPDX-License-Identifier: Apache-2.0

/// The tables of a region in PostgreSQL: what venues told.
extension PostgresReportTables {
    static let ofVenues =
        [
            // Which of the senders are venues.
            "CREATE TABLE venues (sender bigint PRIMARY KEY REFERENCES senders(sender))",
            // The newest that each venue told of each of its boxes, with the report that told it.
            """
            CREATE TABLE venue_boxes (
                venue bigint NOT NULL REFERENCES senders(sender), box text COLLATE "C" NOT NULL, start bigint NOT NULL,
                sequence bigint NOT NULL, told text NOT NULL, is_current boolean NOT NULL, PRIMARY KEY (venue, box))
            WITH (fillfactor = 70)
            """,
        ]
        + Retention.Resolution.allCases.map { resolution in
            """
            CREATE TABLE \(venueSums(resolution)) (
                venue bigint NOT NULL REFERENCES senders(sender), time bigint NOT NULL, bssid text COLLATE "C" NOT NULL,
                channel bigint NOT NULL, name text, ssid text,
                \(sums.map { "\($0) bigint NOT NULL" }.joined(separator: ", ")),
                PRIMARY KEY (venue, time, bssid, channel))
            """
        }

    static func venueSums(_ resolution: Retention.Resolution) -> String {
        resolution == .minute ? "venue_minutes" : "venue_hours"
    }
}
