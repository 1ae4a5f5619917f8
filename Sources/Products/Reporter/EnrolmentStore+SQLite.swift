// SPDX-License-Identifier: Apache-2.0
import Collecting
import Database

extension EnrolmentStore {
    /// The statements that make the table in a file of SQLite.
    static let sqliteStatements = EnrolmentTable.statements(
        text: "TEXT", integer: "INTEGER", end: " STRICT, WITHOUT ROWID")

    /// In a file of SQLite that has the table.
    static func sqlite(_ path: String) -> EnrolmentStore {
        EnrolmentStore(isShared: false) { () throws(StoreError) in
            let database = try StoreError.of { () throws(DatabaseError) in try Database(path, .writing) }
            return EnrolmentConnection(
                changes: { (after) throws(StoreError) in
                    try StoreError.of { () throws(DatabaseError) in try database.changes(after: after) }
                },
                write: { (after, rows) throws(StoreError) in
                    try StoreError.of { () throws(DatabaseError) in try database.write(after: after, rows) }
                })
        }
    }
}

extension Database {
    fileprivate func changes(after: Int64) throws(DatabaseError) -> EnrolmentChanges {
        try EnrolmentTable.changes(after: after) { (after) throws(DatabaseError) in
            try query(EnrolmentTable.changes, [.integer(after)]).map { (row) throws(DatabaseError) in
                guard let kind = row[0].text, let id = row[1].text, let change = row[3].integer else {
                    throw DatabaseError(.damaged, description: "a row of enrolments is none of ours")
                }
                return EnrolmentRow(kind: kind, id: id, text: row[2].text, change: change)
            }
        }
    }

    fileprivate func write(
        after: Int64, _ rows: (EnrolmentChanges) -> [EnrolmentRow]
    ) throws(DatabaseError) -> Int64 {
        var number: Int64 = 0
        try transaction { () throws(DatabaseError) in
            let changes = try changes(after: after)
            number = changes.number
            let rows = rows(changes)
            guard !rows.isEmpty else { return }
            number += 1
            for row in EnrolmentTable.numbered(rows, number) {
                try execute(
                    EnrolmentTable.put, [.text(row.kind), .text(row.id), .optional(row.text), .integer(row.change)])
            }
            try execute(EnrolmentTable.prune, [.integer(number - EnrolmentTable.keptChanges)])
        }
        return number
    }
}
