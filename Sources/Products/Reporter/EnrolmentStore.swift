// SPDX-License-Identifier: Apache-2.0
import Collecting

/// Where a reporter keeps which boxes and users it knows. It is a value of closures, so that the same tests run over each kind.
/// Each change has a number, and each row that of its last change, so that whoever knows a change reads what came later.
struct EnrolmentStore: Sendable {
    /// Whether other reporters write it, too.
    let isShared: Bool
    /// Connects, and makes the tables if that is its business.
    let open: @Sendable () throws(StoreError) -> EnrolmentConnection
}

/// - Thread: the one that opened it.
struct EnrolmentConnection {
    /// What was changed after a change; everything after -1, or if the change was too long ago.
    let changes: (_ after: Int64) throws(StoreError) -> EnrolmentChanges
    /// Writes rows, all of them or none, while nobody else writes: when it returns they are on the disk. The closure is given
    /// what was changed after a change. It may be called more than once; the last call counts.
    /// - Returns: the number of the last change.
    let write: (_ after: Int64, _ rows: (EnrolmentChanges) -> [EnrolmentRow]) throws(StoreError) -> Int64
}

/// A row of the table `enrolments`.
struct EnrolmentRow: Equatable, Sendable {
    /// Of the row that has the number of the last change.
    static let counter = "counter"
    /// Of the row that has the users.
    static let users = "users"

    let kind: String
    let id: String
    /// nil: there is none any more. The row stays for a while, to say so.
    let text: String?
    var change: Int64 = 0
}

struct EnrolmentChanges {
    /// Of the last change.
    let number: Int64
    let rows: [EnrolmentRow]
    /// Whether these are all rows that there are.
    let isWhole: Bool
}

/// What both kinds of store say to their databases.
enum EnrolmentTable {
    /// For so many changes rows without a text stay. Whoever has not read for longer reads everything.
    static let keptChanges: Int64 = 10_000

    /// - Parameters:
    ///   - text, integer: types of columns.
    ///   - end: what stands behind the columns.
    static func statements(text: String, integer: String, end: String = "") -> [String] {
        [
            """
            CREATE TABLE enrolments (
                kind \(text) NOT NULL, id \(text) NOT NULL, record \(text), change \(integer) NOT NULL,
                PRIMARY KEY (kind, id))\(end)
            """,
            "CREATE INDEX enrolments_change ON enrolments (change)",
            "CREATE INDEX enrolments_gone ON enrolments (change) WHERE record IS NULL",
            "INSERT INTO enrolments VALUES ('\(EnrolmentRow.counter)', '', '', 0)",
        ]
    }

    /// One statement, so that rows and number are of one moment.
    static let changes = """
        SELECT kind, id, record, change FROM enrolments WHERE change > $1
        UNION ALL
        SELECT kind, id, record, change FROM enrolments WHERE kind = '\(EnrolmentRow.counter)' AND id = '' AND change <= $1
        """
    static let put = """
        INSERT INTO enrolments VALUES ($1, $2, $3, $4)
        ON CONFLICT (kind, id) DO UPDATE SET record = excluded.record, change = excluded.change
        """
    static let prune = "DELETE FROM enrolments WHERE record IS NULL AND change <= $1"

    /// - Parameter rows: those that were changed after a change, and that of the counter.
    static func changes<Failure: Error>(
        after: Int64, _ rows: (Int64) throws(Failure) -> [EnrolmentRow]
    ) throws(Failure) -> EnrolmentChanges {
        let found = try rows(after)
        let number = number(found)
        // A host may have been restored to an earlier state.
        guard after >= 0, number < after || number - after >= keptChanges else {
            return EnrolmentChanges(number: number, rows: found, isWhole: after < 0)
        }
        let all = try rows(-1)
        return EnrolmentChanges(number: self.number(all), rows: all, isWhole: true)
    }

    private static func number(_ rows: [EnrolmentRow]) -> Int64 {
        rows.first { $0.kind == EnrolmentRow.counter }?.change ?? 0
    }

    /// Rows with their numbers, and that of the counter.
    static func numbered(_ rows: [EnrolmentRow], _ number: Int64) -> [EnrolmentRow] {
        (rows + [EnrolmentRow(kind: EnrolmentRow.counter, id: "", text: "")]).map { row in
            EnrolmentRow(kind: row.kind, id: row.id, text: row.text, change: number)
        }
    }
}
