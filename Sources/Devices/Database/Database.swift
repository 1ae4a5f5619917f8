// SPDX-License-Identifier: Apache-2.0
internal import CLibSQLite

/// A connection to a file of SQLite. What a transaction wrote is on the disk when it returns.
/// - Thread: one at a time.
public final class Database {
    public enum Access: Sendable {
        /// The file is made if it is missing.
        case creating
        case writing
        /// It sees what was committed before each of its statements.
        case reading
    }

    /// How long another connection to the file is waited for, ms.
    private static let patience: CInt = 5_000
    /// Statements that are kept prepared. A caller that makes texts of its own does not fill the memory.
    private static let mostStatements = 128

    let handle: OpaquePointer
    /// Prepared statements by their texts. Between calls none of them is under way.
    private var statements: [String: OpaquePointer] = [:]

    public init(_ path: String, _ access: Access = .creating) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags =
            switch access {
            case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .writing: SQLITE_OPEN_READWRITE
            case .reading: SQLITE_OPEN_READONLY
            }
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code: code, description: "\(path): \(String(cString: sqlite3_errstr(code)))")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, Self.patience)
        guard access != .reading else { return }
        // A write-ahead log whose every commit is on the disk.
        _ = try query("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Carries out one statement.
    /// - Parameter values: of its parameters, in order.
    public func execute(_ statement: String, _ values: [Value] = []) throws(DatabaseError) {
        let prepared = try begin(statement, values)
        defer { end(prepared) }
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: continue
            case SQLITE_DONE: return
            case let code: throw problem(code)
            }
        }
    }

    /// The rows of one statement.
    public func query(_ statement: String, _ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        let prepared = try begin(statement, values)
        defer { end(prepared) }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(prepared)).map { Value(prepared, $0) })
            case SQLITE_DONE: return rows
            case let code: throw problem(code)
            }
        }
    }

    /// Does all of it, or nothing if it throws.
    public func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try execute("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")  // what went wrong before is what counts
            throw error
        }
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// The row that was inserted last.
    public var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    // MARK: Statements

    /// A statement with its values, about to take its first step.
    private func begin(_ text: String, _ values: [Value]) throws(DatabaseError) -> OpaquePointer {
        let prepared = try prepare(text)
        for (index, value) in values.enumerated() {
            let code = value.bind(to: prepared, at: CInt(index + 1))
            guard code == SQLITE_OK else {
                end(prepared)
                throw problem(code)
            }
        }
        return prepared
    }

    private func prepare(_ text: String) throws(DatabaseError) -> OpaquePointer {
        if let kept = statements[text] { return kept }
        if statements.count >= Self.mostStatements {
            for statement in statements.values { sqlite3_finalize(statement) }
            statements = [:]
        }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw problem(code) }
        statements[text] = prepared
        return prepared
    }

    private func end(_ statement: OpaquePointer) {
        sqlite3_reset(statement)  // an error has been told by the step before
        sqlite3_clear_bindings(statement)
    }

    func problem(_ code: CInt) -> DatabaseError {
        DatabaseError(code: code, description: String(cString: sqlite3_errmsg(handle)))
    }
}
