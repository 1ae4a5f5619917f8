// SPDX-License-Identifier: Apache-2.0
import ClusterStore
import Collecting

extension EnrolmentStore {
    /// In a database of PostgreSQL, beside the reports, for any number of reporters.
    /// - Parameter address: as libpq has it.
    static func postgres(_ address: String) throws(StoreError) -> EnrolmentStore {
        let parsed: ClusterAddress
        do throws(ClusterError) {
            parsed = try ClusterAddress(address)
        } catch {
            throw StoreError(error)
        }
        let opening = ClusterOpening(parsed, ClusterConnection.Options())
        return EnrolmentStore(isShared: true) { () throws(StoreError) in
            let use = try ClusterUse(opening) { (connection) throws(ClusterError) in
                try PostgresEnrolments.migrate(connection)
                return connection
            } isUsable: {
                $0.isUsable
            }
            return EnrolmentConnection(
                changes: { (after) throws(StoreError) in
                    try use.use { (connection) throws(ClusterError) in
                        try PostgresEnrolments.changes(connection, after: after)
                    }
                },
                write: { (after, rows) throws(StoreError) in
                    try use.use { (connection) throws(ClusterError) in
                        try PostgresEnrolments.write(connection, after: after, rows)
                    }
                })
        }
    }
}

enum PostgresEnrolments {
    private static let statements = EnrolmentTable.statements(text: "text COLLATE \"C\"", integer: "bigint")
    /// Of the whole database, beside those of reports: "TLRP" and a number.
    private static let lock: Int64 = 0x544c_5250_0004

    static func migrate(_ connection: ClusterConnection) throws(ClusterError) {
        try connection.migrate([statements], of: "touchline_enrolment_schema", lock: lock)
    }

    static func changes(_ connection: ClusterConnection, after: Int64) throws(ClusterError) -> EnrolmentChanges {
        try EnrolmentTable.changes(after: after) { (after) throws(ClusterError) in
            try connection.query(EnrolmentTable.changes, [.integer(after)]).map { (row) throws(ClusterError) in
                guard row.count == 4, let kind = row[0], let id = row[1], let change = row[3].flatMap({ Int64($0) })
                else { throw ClusterError(.damaged, "a row of enrolments is none of ours") }
                return EnrolmentRow(kind: kind, id: id, text: row[2], change: change)
            }
        }
    }

    /// The row of the counter is locked first, so that one reporter writes at a time and a number that is read has all
    /// changes before it.
    static func write(
        _ connection: ClusterConnection, after: Int64, _ rows: (EnrolmentChanges) -> [EnrolmentRow]
    ) throws(ClusterError) -> Int64 {
        var number: Int64 = 0
        var isWritten = false
        do throws(ClusterError) {
            try connection.transaction { () throws(ClusterError) in
                try connection.execute(
                    "SELECT change FROM enrolments WHERE kind = '\(EnrolmentRow.counter)' AND id = '' FOR UPDATE")
                let changes = try changes(connection, after: after)
                number = changes.number
                let rows = rows(changes)
                guard !rows.isEmpty else { return }
                number += 1
                for row in EnrolmentTable.numbered(rows, number) {
                    try connection.execute(
                        EnrolmentTable.put,
                        [.text(row.kind), .text(row.id), .optional(row.text), .integer(row.change)])
                }
                try connection.execute(EnrolmentTable.prune, [.integer(number - EnrolmentTable.keptChanges)])
                isWritten = true
            }
        } catch {
            // It may have been done: doing it once more would do it twice.
            guard isWritten, error.kind == .unreachable || error.kind == .readOnly else { throw error }
            throw ClusterError(.unconfirmed, "it may have been done: \(error)")
        }
        return number
    }
}
