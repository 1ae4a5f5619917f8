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
                    })
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
