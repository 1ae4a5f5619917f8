// SPDX-License-Identifier: Apache-2.0
import Database

extension ReportStore {
    /// Reports in a file of SQLite that has `SQLiteReportTables`.
    public static func sqlite(_ path: String, _ retention: Retention = Retention()) -> ReportStore {
        ReportStore(
            openWriter: { () throws(StoreError) in
                let writer = try StoreError.of { () throws(DatabaseError) in
                    try SQLiteReportWriter(Database(path, .writing), retention)
                }
                return StoreWriter(
                    commit: { (batches) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try writer.commit(batches) }
                    },
                    keepUp: { (now) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try writer.keepUp(at: now) }
                    })
            },
            openReader: { () throws(StoreError) in
                let reader = try StoreError.of { () throws(DatabaseError) in
                    SQLiteReportReader(try Database(path, .reading))
                }
                return StoreReader(
                    latest: { (after, limit) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try reader.latest(after: after, limit) }
                    },
                    latestOf: { (box) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try reader.latest(of: box) }
                    },
                    reports: { (query) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try reader.reports(query) }
                    },
                    gaps: { (box, limit) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try reader.gaps(of: box, limit) }
                    },
                    air: { (query) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in try reader.air(query) }
                    },
                    boxSums: { (query) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in
                            try SQLiteBoxSums.read(query, reader.database)
                        }
                    },
                    alerts: { (query) throws(StoreError) in
                        try StoreError.of { () throws(DatabaseError) in
                            try SQLiteAlerts.list(query, reader.database)
                        }
                    }, venues: VenueReading(reader), forward: ForwardReading(reader))
            },
            openKeeper: { () throws(StoreError) in
                try AlertKeeper(
                    StoreError.of { () throws(DatabaseError) in SQLiteAlerts(try Database(path, .writing)) })
            })
    }
}

extension StoreError {
    init(_ error: DatabaseError) {
        self.init(Kind(rawValue: error.kind.rawValue) ?? .other, error.description)
    }

    public static func of<Answer>(_ body: () throws(DatabaseError) -> Answer) throws(StoreError) -> Answer {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw StoreError(error)
        }
    }
}

extension VenueReading {
    fileprivate init(_ reader: SQLiteReportReader) {
        self.init(
            venues: { (after, limit) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try reader.venues(after: after, limit) }
            },
            boxes: { (venue, after, limit) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try reader.boxes(of: venue, after: after, limit) }
            },
            air: { (venue, query) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try reader.air(of: venue, query) }
            })
    }
}

extension ForwardReading {
    fileprivate init(_ reader: SQLiteReportReader) {
        self.init(
            states: { (after, since, limit) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try reader.states(after: after, since: since, limit) }
            },
            sums: { (resolution, span) throws(StoreError) in
                try StoreError.of { () throws(DatabaseError) in try reader.moment(resolution, in: span) }
            })
    }
}
