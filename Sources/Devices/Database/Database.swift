// SPDX-License-Identifier: Apache-2.0
internal import CLibSQLite

/// What SQLite says is wrong.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// A file of SQLite, which this connection alone writes. What a transaction wrote is on the disk when it returns.
/// - Thread: one at a time.
public final class Database {
    /// A value of a row.
    public enum Value: Equatable, Sendable {
        case integer(Int64)
        case text(String)
        case null

        public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
        public var text: String? { if case .text(let value) = self { value } else { nil } }
    }

    /// How long another connection to the file is waited for, ms.
    private static let patience: CInt = 5_000

    private let handle: OpaquePointer

    /// - Parameter path: of a file, which is made if it is missing.
    public init(_ path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(description: "\(path): \(String(cString: sqlite3_errstr(code)))")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, Self.patience)
        // A write-ahead log whose every commit is on the disk.
        _ = try query("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
    }

    deinit { sqlite3_close_v2(handle) }

    /// Carries out one statement.
    /// - Parameter values: of its parameters, in order.
    public func execute(_ statement: String, _ values: [Value] = []) throws(DatabaseError) {
        _ = try query(statement, values)
    }

    /// The rows of one statement.
    public func query(_ statement: String, _ values: [Value] = []) throws(DatabaseError) -> [[Value]] {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, statement, -1, &prepared, nil) == SQLITE_OK, let prepared else {
            throw problem
        }
        defer { sqlite3_finalize(prepared) }
        for (index, value) in values.enumerated() {
            let place = CInt(index + 1)
            let code =
                switch value {
                case .integer(let integer): sqlite3_bind_int64(prepared, place, integer)
                case .text(let text): tl_sqlite_bind_text(prepared, place, text, CInt(text.utf8.count))
                case .null: sqlite3_bind_null(prepared, place)
                }
            guard code == SQLITE_OK else { throw problem }
        }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(prepared)).map { Self.value(prepared, $0) })
            case SQLITE_DONE: return rows
            default: throw problem
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

    private static func value(_ statement: OpaquePointer, _ column: CInt) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_NULL: return .null
        default:
            guard let octets = sqlite3_column_text(statement, column) else { return .null }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: octets, count: count), as: UTF8.self))
        }
    }

    private var problem: DatabaseError { DatabaseError(description: String(cString: sqlite3_errmsg(handle))) }
}
